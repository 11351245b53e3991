import type { ListQuery, VerificationKind } from '@parley/contract';
import { AppError, notFound } from '@parley/errors';
import type { CreatingRequest } from '@parley/service';
import { isId, newId, type Caller, type ClientOrigin, type Database, type Queryable } from '@parley/runtime';
import { appendAudit } from '../audit';
import { creatingRecord, type Created } from '../creating-record';
import { assertOrganizationExists, lockIssuerKey } from '../keys';
import { newestFirst } from '../newest-first';
import { configured, type VerificationProvider } from './verification-provider';
import { verificationView, type ProviderState, type VerificationRecord } from './verification.rules';
import {
  claimQuestion,
  findVerification,
  insertVerification,
  listVerifications as find,
  writeState,
} from './verifications.sql';

export interface VerificationParts {
  readonly db: Database;
  /** Undefined if the operator has configured none. */
  readonly provider: VerificationProvider | undefined;
}

export interface CreateVerification {
  readonly caller: Caller;
  readonly client?: ClientOrigin | undefined;
  readonly organizationId: string;
  readonly kind: VerificationKind;
}

/**
 * POST /v1/verifications. The provider is asked first, so that one that fails leaves nothing here. If this process dies in between, the provider knows a
 * verification for which nothing is ever sent.
 * @throws AppError kyc_provider_error; ConflictError if no provider is configured; NotFoundError if an operator names an organization that does not exist
 */
export function createVerification(
  { db, provider }: VerificationParts,
  request: CreatingRequest,
  check: () => CreateVerification,
): Promise<Created<VerificationRecord>> {
  const verificationId = newId('ver');
  const authorize = async (tx: Queryable, { caller, organizationId }: CreateVerification): Promise<void> =>
    assertOrganizationExists(tx, await lockIssuerKey(tx, caller, organizationId), organizationId);
  return creatingRecord(db, request, {
    async check() {
      const command = check();
      await db.transaction((tx) => authorize(tx, command));
      return { ...command, state: await configured(provider).ask({ ...command, verificationId }) };
    },
    async work(tx, { state, ...command }) {
      await authorize(tx, command);
      const { caller, client, organizationId, kind } = command;
      const created = { ...state, verificationId, kind, createdBy: caller.keyId };
      const verification = await insertVerification(tx, organizationId, created);
      const detail = { kind, status: state.status };
      await appendAudit(
        tx,
        { organizationId, action: 'verification.created', subject: verificationId, detail },
        { caller, client },
      );
      return verification;
    },
    idOf: (verification) => verification.verificationId,
  });
}

/** A page of an organization's verifications as they were last read, newest first. @throws AppError BadRequestError for an invalid cursor */
export const listVerifications = (db: Database, organizationId: string, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, organizationId, page),
    verificationView,
    ({ verificationId }) => verificationId,
  );

/** @throws AppError NotFoundError if the organization has no such verification */
export async function ownVerification(db: Queryable, organizationId: string, id: string): Promise<VerificationRecord> {
  const found = isId('ver', id) ? await findVerification(db, organizationId, id) : undefined;
  if (found === undefined) throw notFound('verification');
  return found;
}

/**
 * GET /v1/verifications/{verification_id}. Asks the provider for the status of a pending one, at most every five seconds over all replicas. If the provider
 * fails, the last known status is returned with its time.
 */
export async function readVerification(
  { db, provider }: VerificationParts,
  organizationId: string,
  id: string,
): Promise<VerificationRecord> {
  const verification = await ownVerification(db, organizationId, id);
  if (provider === undefined || verification.status !== 'pending') return verification;
  if (!(await claimQuestion(db, organizationId, id))) return verification;
  const state = await provider.ask(verification).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (state === undefined) return verification;
  await db.transaction((tx) => recordState(tx, organizationId, id, state));
  return ownVerification(db, organizationId, id);
}

/** Stores what the provider stated. A decision is an act of the platform itself, because the provider made it. */
export async function recordState(
  tx: Queryable,
  organizationId: string,
  verificationId: string,
  state: ProviderState,
): Promise<void> {
  const written = await writeState(tx, organizationId, verificationId, state);
  if (written === undefined || state.status === 'pending') return;
  const detail = { status: state.status };
  await appendAudit(tx, { organizationId, action: 'verification.decided', subject: verificationId, detail }, {});
}
