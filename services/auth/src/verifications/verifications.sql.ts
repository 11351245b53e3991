import type { VerificationKind, VerificationStatus } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { onlyRow, timeText, type PageBefore } from '../rows.rules';
import type { ProviderState, StoredDocument, VerificationRecord } from './verification.rules';

interface VerificationRow {
  readonly verification_id: string;
  readonly organization_id: string;
  readonly kind: VerificationKind;
  readonly status: VerificationStatus;
  readonly reason: string | null;
  readonly documents: StoredDocument[];
  readonly created_at: Date;
  readonly checked_at: Date;
}

const columns = 'verification_id, organization_id, kind, status, reason, documents, created_at, checked_at';

const recordOf = (row: VerificationRow): VerificationRecord => ({
  verificationId: row.verification_id,
  organizationId: row.organization_id,
  kind: row.kind,
  status: row.status,
  reason: row.reason,
  documents: row.documents,
  createdAt: timeText(row.created_at),
  checkedAt: timeText(row.checked_at),
});

export interface NewVerification extends ProviderState {
  readonly verificationId: string;
  readonly kind: VerificationKind;
  readonly createdBy: string;
}

export async function insertVerification(
  tx: Queryable,
  organizationId: string,
  { verificationId, kind, status, reason, createdBy }: NewVerification,
): Promise<VerificationRecord> {
  const result = await tx.query<VerificationRow>({
    name: 'insert-verification',
    text: `insert into verifications (organization_id, verification_id, kind, status, reason, created_by)
           values ($1, $2, $3, $4, $5, $6) returning ${columns}`,
    values: [organizationId, verificationId, kind, status, reason, createdBy],
  });
  return recordOf(onlyRow(result));
}

export async function listVerifications(
  db: Queryable,
  organizationId: string,
  page: PageBefore,
): Promise<VerificationRecord[]> {
  const { rows } = await db.query<VerificationRow>({
    name: 'list-verifications',
    text: `select ${columns} from verifications
           where organization_id = $1 and (created_at, verification_id) < ($2::timestamptz, $3)
           order by created_at desc, verification_id desc limit $4::integer + 1`,
    values: [organizationId, page.createdBefore, page.idBefore, page.limit],
  });
  return rows.map(recordOf);
}

/** @returns undefined if the organization has no such verification */
export async function findVerification(
  db: Queryable,
  organizationId: string,
  verificationId: string,
): Promise<VerificationRecord | undefined> {
  const { rows } = await db.query<VerificationRow>({
    name: 'find-verification',
    text: `select ${columns} from verifications where organization_id = $1 and verification_id = $2`,
    values: [organizationId, verificationId],
  });
  return rows.map(recordOf)[0];
}

/** Returns a verification that stays locked until the end of the transaction, and the time. @returns undefined if there is no such verification */
export async function lockVerification(
  tx: Queryable,
  organizationId: string,
  verificationId: string,
): Promise<{ readonly verification: VerificationRecord; readonly now: Date } | undefined> {
  const { rows } = await tx.query<VerificationRow & { readonly now: Date }>({
    name: 'lock-verification',
    text: `select ${columns}, clock_timestamp()::timestamptz(3) as now from verifications
           where organization_id = $1 and verification_id = $2 for update`,
    values: [organizationId, verificationId],
  });
  return rows.map((row) => ({ verification: recordOf(row), now: row.now }))[0];
}

export async function writeDocuments(
  tx: Queryable,
  organizationId: string,
  verificationId: string,
  documents: readonly StoredDocument[],
): Promise<void> {
  await tx.query({
    name: 'write-verification-documents',
    text: `update verifications set documents = $3::jsonb
           where organization_id = $1 and verification_id = $2`,
    values: [organizationId, verificationId, JSON.stringify(documents)],
  });
}

/** Notes that the provider is about to be asked. @returns false if the verification is decided, or was asked for within the last five seconds */
export async function claimQuestion(db: Queryable, organizationId: string, verificationId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'claim-verification-question',
    text: `update verifications set asked_at = clock_timestamp()
           where organization_id = $1 and verification_id = $2 and status = 'pending'
             and asked_at < clock_timestamp() - interval '5 seconds'`,
    values: [organizationId, verificationId],
  });
  return rowCount === 1;
}

/** Stores what the provider stated; a decision stays. @returns undefined if the verification was decided before */
export async function writeState(
  tx: Queryable,
  organizationId: string,
  verificationId: string,
  { status, reason }: ProviderState,
): Promise<VerificationRecord | undefined> {
  const { rows } = await tx.query<VerificationRow>({
    name: 'write-verification-state',
    text: `update verifications set status = $3, reason = $4, checked_at = clock_timestamp(), asked_at = clock_timestamp()
           where organization_id = $1 and verification_id = $2 and status = 'pending'
           returning ${columns}`,
    values: [organizationId, verificationId, status, reason],
  });
  return rows.map(recordOf)[0];
}
