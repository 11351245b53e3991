import type { ErasureRecord } from '@parley/contract';
import type { Queryable } from '@parley/runtime';

/** What an erasure has examined. */
export interface Walked {
  /** All records up to this id were examined. */
  readonly through: string;
  /** The records among them that contain the number and were not over. */
  readonly left: readonly string[];
}

/** What an erasure waits for: nothing; what is about to end; or only what may wait for days, such as a scheduled call. */
export type Wait = 'nothing' | 'soon' | 'long';

export interface Erasure {
  readonly erasureId: string;
  readonly organizationId: string;
  /** Null once the erasure is complete or has failed. */
  readonly phoneNumber: string | null;
  readonly status: ErasureRecord['status'];
  readonly calls: number;
  readonly messages: number;
  readonly contacts: number;
  readonly copiesLeft: number;
  readonly walkedCalls: Walked;
  readonly walkedMessages: Walked;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly attempts: number;
}

export interface ErasureRow {
  readonly erasure_id: string;
  readonly organization_id: string;
  readonly phone_number: string | null;
  readonly status: ErasureRecord['status'];
  readonly calls: number;
  readonly messages: number;
  readonly contacts: number;
  readonly copies_left?: number;
  readonly calls_walked: string;
  readonly messages_walked: string;
  readonly calls_left: string[];
  readonly messages_left: string[];
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly attempts: number;
}

export const erasureColumns = `e.erasure_id, e.organization_id, e.phone_number, e.status, e.calls, e.messages, e.contacts,
  e.calls_walked, e.messages_walked, e.calls_left, e.messages_left, e.created_at, e.finished_at, e.attempts`;

export const erasureOf = (row: ErasureRow): Erasure => ({
  erasureId: row.erasure_id,
  organizationId: row.organization_id,
  phoneNumber: row.phone_number,
  status: row.status,
  calls: row.calls,
  messages: row.messages,
  contacts: row.contacts,
  copiesLeft: row.copies_left ?? 0,
  walkedCalls: { through: row.calls_walked, left: row.calls_left },
  walkedMessages: { through: row.messages_walked, left: row.messages_left },
  createdAt: row.created_at,
  finishedAt: row.finished_at,
  attempts: row.attempts,
});

export async function insertErasure(
  tx: Queryable,
  organizationId: string,
  erasureId: string,
  phoneNumber: string,
): Promise<Erasure> {
  const { rows } = await tx.query<ErasureRow>({
    name: 'erasure-insert',
    text: `insert into erasures as e (organization_id, erasure_id, phone_number) values ($1, $2, $3) returning ${erasureColumns}`,
    values: [organizationId, erasureId, phoneNumber],
  });
  if (rows[0] === undefined) throw new Error('an erasure was not written');
  return erasureOf(rows[0]);
}

/** An erasure also waits for the copies of what was erased before it, because records that are erased no longer contain the number. */
const earlierCopies = 'c.organization_id = $1 and c.erased_at <= e.created_at';

export async function findErasure(
  db: Queryable,
  organizationId: string,
  erasureId: string,
): Promise<Erasure | undefined> {
  const { rows } = await db.query<ErasureRow>({
    name: 'erasure-find',
    text: `select ${erasureColumns}, (select count(*)::integer from (
             select resource_id from erased_copies c where c.organization_id = $1 and c.erasure_id = $2
             union select resource_id from erased_copies c where ${earlierCopies}) left_copies) as copies_left
           from erasures e where e.organization_id = $1 and e.erasure_id = $2`,
    values: [organizationId, erasureId],
  });
  return rows[0] === undefined ? undefined : erasureOf(rows[0]);
}

/** The changes that one transaction makes to an erasure: how many records it erased, and what was examined. */
export type ErasureStep = Partial<Pick<Erasure, 'calls' | 'messages' | 'contacts' | 'walkedCalls' | 'walkedMessages'>>;

export async function noteErased(
  tx: Queryable,
  organizationId: string,
  erasureId: string,
  { calls = 0, messages = 0, contacts = 0, walkedCalls, walkedMessages }: ErasureStep,
): Promise<void> {
  await tx.query({
    name: 'erasure-note',
    text: `update erasures set calls = calls + $3, messages = messages + $4, contacts = contacts + $5,
             calls_walked = coalesce($6, calls_walked), messages_walked = coalesce($7, messages_walked),
             calls_left = coalesce($8::text[], calls_left), messages_left = coalesce($9::text[], messages_left),
             retry_at = clock_timestamp() + interval '1 minute'
           where organization_id = $1 and erasure_id = $2`,
    values: [
      ...[organizationId, erasureId, calls, messages, contacts],
      ...[walkedCalls?.through ?? null, walkedMessages?.through ?? null],
      ...[walkedCalls?.left ?? null, walkedMessages?.left ?? null],
    ],
  });
}

/**
 * Completes an erasure that waits for nothing. Otherwise, or if copies are still to be erased, it is continued after 5 seconds. If it waits long, the pauses grow
 * with its age: a sixtieth of it, at most 10 minutes.
 */
export async function settleErasure(
  db: Queryable,
  organizationId: string,
  erasureId: string,
  wait: Wait,
): Promise<void> {
  await db.query({
    name: 'erasure-settle',
    text: `with through as materialized (
             select $3::text = 'nothing' and not exists (select 1 from erased_copies where erasure_id = $2)
               and not exists (select 1 from erasures e join erased_copies c on ${earlierCopies}
                               where e.organization_id = $1 and e.erasure_id = $2) as yes)
           update erasures set attempts = 0, retry_at = clock_timestamp() + case when $3::text = 'long'
               then least(greatest((clock_timestamp() - created_at) / 60, interval '5 seconds'), interval '10 minutes')
               else interval '5 seconds' end,
             status = case when yes then 'done' else 'running' end,
             phone_number = case when yes then null else phone_number end,
             finished_at = case when yes then clock_timestamp() end
           from through where organization_id = $1 and erasure_id = $2 and status = 'running'`,
    values: [organizationId, erasureId, wait],
  });
}

/** Marks an erasure as failed. */
export async function failErasure(db: Queryable, organizationId: string, erasureId: string): Promise<void> {
  await db.query({
    name: 'erasure-fail',
    text: `update erasures set status = 'failed', phone_number = null, finished_at = clock_timestamp()
           where organization_id = $1 and erasure_id = $2 and status = 'running'`,
    values: [organizationId, erasureId],
  });
}
