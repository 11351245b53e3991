import type { ErasureRecord } from '@parley/contract';
import type { Queryable } from '@parley/runtime';

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
  readonly callsPosition: string;
  readonly messagesPosition: string;
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
  readonly calls_position: string;
  readonly messages_position: string;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly attempts: number;
}

export const erasureColumns = `e.erasure_id, e.organization_id, e.phone_number, e.status, e.calls, e.messages, e.contacts, e.calls_position,
  e.messages_position, e.created_at, e.finished_at, e.attempts`;

export const erasureOf = (row: ErasureRow): Erasure => ({
  erasureId: row.erasure_id,
  organizationId: row.organization_id,
  phoneNumber: row.phone_number,
  status: row.status,
  calls: row.calls,
  messages: row.messages,
  contacts: row.contacts,
  copiesLeft: row.copies_left ?? 0,
  callsPosition: row.calls_position,
  messagesPosition: row.messages_position,
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

export async function findErasure(
  db: Queryable,
  organizationId: string,
  erasureId: string,
): Promise<Erasure | undefined> {
  const { rows } = await db.query<ErasureRow>({
    name: 'erasure-find',
    text: `select ${erasureColumns}, (select count(*)::integer from erased_copies c where c.organization_id = $1 and c.erasure_id = $2) as copies_left
           from erasures e where (e.organization_id = $1) is true and e.erasure_id = $2`,
    values: [organizationId, erasureId],
  });
  return rows[0] === undefined ? undefined : erasureOf(rows[0]);
}

/** The changes that one transaction makes to an erasure: how many records it erased, and up to which record everything was examined. */
export type ErasureStep = Partial<
  Pick<Erasure, 'calls' | 'messages' | 'contacts' | 'callsPosition' | 'messagesPosition'>
>;

export async function noteErased(
  tx: Queryable,
  organizationId: string,
  erasureId: string,
  step: ErasureStep,
): Promise<void> {
  await tx.query({
    name: 'erasure-note',
    text: `update erasures set calls = calls + $3, messages = messages + $4, contacts = contacts + $5,
             calls_position = coalesce($6, calls_position), messages_position = coalesce($7, messages_position),
             retry_at = clock_timestamp() + interval '1 minute'
           where (organization_id = $1) is true and erasure_id = $2`,
    values: [
      organizationId,
      erasureId,
      step.calls ?? 0,
      step.messages ?? 0,
      step.contacts ?? 0,
      step.callsPosition ?? null,
      step.messagesPosition ?? null,
    ],
  });
}

/**
 * Completes an erasure. If `waits` is set (a contact, call or message with the number cannot be erased yet), or copies are still to be erased, the erasure is
 * continued after 5 seconds instead.
 */
export async function settleErasure(
  db: Queryable,
  organizationId: string,
  erasureId: string,
  waits: boolean,
): Promise<void> {
  await db.query({
    name: 'erasure-settle',
    text: `with through as materialized (
             select not $3::boolean and not exists (select 1 from erased_copies where erasure_id = $2) as yes)
           update erasures set attempts = 0, retry_at = clock_timestamp() + interval '5 seconds',
             status = case when yes then 'done' else 'running' end,
             phone_number = case when yes then null else phone_number end,
             finished_at = case when yes then clock_timestamp() end
           from through where (organization_id = $1) is true and erasure_id = $2 and status = 'running'`,
    values: [organizationId, erasureId, waits],
  });
}

/** Marks an erasure as failed. */
export async function failErasure(db: Queryable, organizationId: string, erasureId: string): Promise<void> {
  await db.query({
    name: 'erasure-fail',
    text: `update erasures set status = 'failed', phone_number = null, finished_at = clock_timestamp()
           where (organization_id = $1) is true and erasure_id = $2 and status = 'running'`,
    values: [organizationId, erasureId],
  });
}
