import type { AttemptStatus, ContactOutcome } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { CallStatus } from '../books/calls/call.rules';
import type { Attempt } from './campaign.rules';
import type { AttemptCall } from './attempt-outcome.rules';

interface AttemptRow {
  readonly attempt_id: string;
  readonly campaign_id: string;
  readonly contact_id: string;
  readonly status: AttemptStatus;
  readonly ready_at: Date;
  readonly waits_for: string | null;
  readonly call_id: string | null;
  readonly outcome: ContactOutcome | null;
  readonly withdrawn: boolean;
  readonly created_at: Date;
  readonly completed_at: Date | null;
}

const attemptOf = (row: AttemptRow): Attempt => ({
  attemptId: row.attempt_id,
  campaignId: row.campaign_id,
  contactId: row.contact_id,
  status: row.status,
  readyAt: row.ready_at,
  waitsFor: row.waits_for,
  callId: row.call_id,
  outcome: row.outcome,
  withdrawn: row.withdrawn,
  createdAt: row.created_at,
  completedAt: row.completed_at,
});

export interface OpenAttempt extends Attempt {
  /** Undefined until a call was placed. */
  readonly call: AttemptCall | undefined;
  /** The contact to call. */
  readonly contact: AttemptContact;
}

export interface AttemptContact {
  readonly to: string;
  /** JSON objects. */
  readonly variables: string;
  readonly metadata: string;
  readonly consent: boolean;
  readonly timeZone: string | null;
  /** Number of attempts so far, including this one. */
  readonly attempts: number;
}

interface OpenRow extends AttemptRow {
  readonly call_status: CallStatus | null;
  readonly ended_reason: string | null;
  readonly classification: string | null;
  readonly phone_number: string;
  readonly variables: string;
  readonly metadata: string;
  readonly consent: boolean;
  readonly time_zone: string | null;
  readonly attempts: number;
}

/**
 * All open attempts with the current state of their calls, in the order in which they became ready. A mailbox without a proof counts as a person. The pacer limits their number. The caller has locked the
 * campaign.
 */
export async function listOpenAttempts(
  tx: Queryable,
  organizationId: string,
  campaignId: string,
): Promise<OpenAttempt[]> {
  const { rows } = await tx.query<OpenRow>({
    name: 'attempts-open',
    text: `select a.*, c.status as call_status, c.ended_reason,
             case when c.classification <> 'voicemail' or c.mailbox_proof is not null then c.classification end as classification, t.phone_number, t.variables, t.metadata,
             t.consent, t.time_zone, t.attempts
           from campaign_attempts a
           join campaign_contacts t on t.organization_id = $1 and t.contact_id = a.contact_id
           left join calls c on c.organization_id = $1 and c.call_id = a.call_id
           where a.organization_id = $1 and a.campaign_id = $2 and a.status <> 'over'
           order by a.ready_at, a.attempt_id`,
    values: [organizationId, campaignId],
  });
  return rows.map((row) => ({
    ...attemptOf(row),
    call:
      row.call_status === null
        ? undefined
        : { status: row.call_status, endedReason: row.ended_reason, classification: row.classification },
    contact: {
      to: row.phone_number,
      variables: row.variables,
      metadata: row.metadata,
      consent: row.consent,
      timeZone: row.time_zone,
      attempts: row.attempts,
    },
  }));
}

export interface NewAttempt {
  readonly attemptId: string;
  readonly contactId: string;
}

/** Inserts attempts with the status `placing`. The caller has locked the campaign. */
export async function insertAttempts(
  tx: Queryable,
  organizationId: string,
  campaignId: string,
  attempts: readonly NewAttempt[],
  now: Date,
): Promise<void> {
  if (attempts.length === 0) return;
  await tx.query({
    name: 'attempts-insert',
    text: `insert into campaign_attempts (organization_id, campaign_id, attempt_id, contact_id, status, ready_at, created_at)
           select $1::text, $2::text, attempt_id, contact_id, 'placing', $5::timestamptz, $5::timestamptz
           from unnest($3::text[], $4::text[]) as given (attempt_id, contact_id)`,
    values: [
      organizationId,
      campaignId,
      attempts.map(({ attemptId }) => attemptId),
      attempts.map(({ contactId }) => contactId),
      now,
    ],
  });
}

/** Updates attempts; the caller has locked the campaign. Does not write `withdrawn`, which only `markWithdrawn` sets. */
export async function writeAttempts(
  tx: Queryable,
  organizationId: string,
  attempts: readonly Attempt[],
): Promise<void> {
  if (attempts.length === 0) return;
  await tx.query({
    name: 'attempts-write',
    text: `update campaign_attempts a set status = given.status, ready_at = given.ready_at, waits_for = given.waits_for,
             call_id = given.call_id, outcome = given.outcome, completed_at = given.completed_at
           from unnest($2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
             as given (attempt_id, status, ready_at, waits_for, call_id, outcome, completed_at)
           where a.organization_id = $1 and a.attempt_id = given.attempt_id`,
    values: [
      organizationId,
      attempts.map(({ attemptId }) => attemptId),
      attempts.map(({ status }) => status),
      attempts.map(({ readyAt }) => readyAt.toISOString()),
      attempts.map(({ waitsFor }) => waitsFor),
      attempts.map(({ callId }) => callId),
      attempts.map(({ outcome }) => outcome),
      attempts.map(({ completedAt }) => completedAt?.toISOString() ?? null),
    ],
  });
}

/** Records that an attempt was withdrawn before dialing. Must run in the transaction that cancels its call. */
export async function markWithdrawn(tx: Queryable, organizationId: string, attemptId: string): Promise<void> {
  await tx.query({
    name: 'attempt-withdraw',
    text: 'update campaign_attempts set withdrawn = true where organization_id = $1 and attempt_id = $2',
    values: [organizationId, attemptId],
  });
}

export async function findAttempt(
  db: Queryable,
  organizationId: string,
  campaignId: string,
  attemptId: string,
): Promise<Attempt | undefined> {
  const { rows } = await db.query<AttemptRow>({
    name: 'attempt-find',
    text: 'select * from campaign_attempts where organization_id = $1 and campaign_id = $2 and attempt_id = $3',
    values: [organizationId, campaignId, attemptId],
  });
  return rows[0] && attemptOf(rows[0]);
}

export interface AttemptFilter {
  /** Filters; an empty string means no filter. */
  readonly status: string;
  readonly contactId: string;
  /** Return only older attempts than this one; empty for the first page. */
  readonly before: string;
  readonly limit: number;
}

/** Newest first. */
export async function listAttempts(
  db: Queryable,
  organizationId: string,
  campaignId: string,
  { status, contactId, before, limit }: AttemptFilter,
): Promise<Attempt[]> {
  const { rows } = await db.query<AttemptRow>({
    name: 'attempts-list',
    text: `select * from campaign_attempts where organization_id = $1 and campaign_id = $2
             and ($3::text = '' or status = $3) and ($4::text = '' or contact_id = $4)
             and ($5::text = '' or attempt_id < $5)
           order by attempt_id desc limit $6`,
    values: [organizationId, campaignId, status, contactId, before, limit],
  });
  return rows.map(attemptOf);
}

/** The call admitted under an idempotency key; undefined: none. */
export async function callOfKey(
  db: Queryable,
  organizationId: string,
  route: string,
  key: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ record_id: string }>({
    name: 'attempt-call-of-key',
    text: 'select record_id from idempotency where organization_id = $1 and route = $2 and key = $3',
    values: [organizationId, route, key],
  });
  return rows[0]?.record_id;
}
