import type { Queryable } from '@parley/runtime';
import type { Message } from './message.rules';
import { messageOf, selectedMessage, type MessageRow } from './message-rows.sql';

export interface MessageClaim {
  readonly limit: number;
  /** How long this process has the exclusive right to send the message to the carrier. */
  readonly leaseSeconds: number;
  /** Suspended organizations, whose messages stay queued. */
  readonly heldOrganizations: readonly string[];
  readonly heldAgents: readonly string[];
}

/** A message that this process is permitted to send to the carrier. */
export interface PermittedMessage {
  readonly message: Message;
  /** The number of permits given for this message so far. */
  readonly attempt: number;
  /** Whether it is sent although its recipient is suppressed. */
  readonly despiteSuppression: boolean;
  /** The sending number was released after admission. */
  readonly released: boolean;
}

/** SQL query for the organizations with queued messages. */
const walk = `walk as (
    (select j.organization_id from message_jobs j
     where j.state = 'queued' order by j.organization_id limit 1)
    union all
    select (select j.organization_id from message_jobs j
            where j.state = 'queued' and j.organization_id > walk.organization_id
            order by j.organization_id limit 1)
    from walk where walk.organization_id is not null
  )`;

/**
 * Gives permits for the next messages, which are committed before any carrier is called. The batch is divided evenly among organizations, in any order; each
 * organization with queued messages is found with one index probe.
 */
const claimText = `
  with recursive ${walk}, queue as materialized (
    select walk.organization_id, count(*) over () as queues from walk
    where walk.organization_id is not null and walk.organization_id <> all($3::text[]) order by random()
  ), due as materialized (
    select taken.message_id from queue cross join lateral (
      select j.message_id from message_jobs j
      where j.organization_id = queue.organization_id and j.state = 'queued'
        and j.due_at <= now()
        and j.agent_id <> all($4::text[])
      order by j.due_at, j.message_id limit greatest(1, $1::bigint / queue.queues) for update skip locked) taken
    limit $1
  ), permitted as (
    update message_jobs j set state = 'sending', attempts = j.attempts + 1,
      due_at = clock_timestamp() + make_interval(secs => $2)
    from due where j.message_id = due.message_id returning j.message_id, j.attempts, j.despite_suppression)
  select ${selectedMessage}, permitted.attempts, permitted.despite_suppression as "despiteSuppression",
    (select true from numbers n where n.organization_id = m.organization_id and n.phone_number = m.from_number
     and n.released_at is null limit 1) is null as released
  from permitted join messages m on m.message_id = permitted.message_id`;

export async function permitMessages(db: Queryable, claim: MessageClaim): Promise<PermittedMessage[]> {
  const { rows } = await db.query<
    MessageRow & { readonly attempts: number; readonly despiteSuppression: boolean; readonly released: boolean }
  >({
    name: 'messages-permit',
    text: claimText,
    values: [claim.limit, claim.leaseSeconds, claim.heldOrganizations, claim.heldAgents],
  });
  return rows.map((row) => ({
    message: messageOf(row),
    attempt: row.attempts,
    despiteSuppression: row.despiteSuppression,
    released: row.released,
  }));
}

export interface DueMessage {
  readonly organizationId: string;
  readonly messageId: string;
  readonly state: 'sending' | 'unknown' | 'reporting';
}

/** Messages whose permit expired, whose outcome was not reported in time, or whose delivery the simulator still has to report. They are not locked. */
export async function dueMessages(db: Queryable, limit: number): Promise<DueMessage[]> {
  const { rows } = await db.query<{ organization_id: string; message_id: string; state: DueMessage['state'] }>({
    name: 'messages-due',
    text: `select j.organization_id, j.message_id, j.state from message_jobs j
           where j.state <> 'queued' and j.due_at <= now() order by j.due_at limit $1`,
    values: [limit],
  });
  return rows.map((row) => ({ organizationId: row.organization_id, messageId: row.message_id, state: row.state }));
}

/** What happens to a message next. */
export interface JobChange {
  readonly messageId: string;
  /** Null: nothing. */
  readonly state: 'queued' | 'unknown' | 'reporting' | null;
  /** When it is due, in seconds from now. */
  readonly afterSeconds: number;
  /** The change applies only if the job is in this state and has this permit number (null: any). */
  readonly whileState: 'sending' | 'unknown' | 'reporting' | null;
  readonly whileAttempt: number | null;
}

/** Changes jobs; the caller has locked their messages. Returns the ids of the messages whose condition was met. */
export async function changeMessageJobs(tx: Queryable, changes: readonly JobChange[]): Promise<Set<string>> {
  if (changes.length === 0) return new Set();
  const { rows } = await tx.query<{ message_id: string }>({
    name: 'message-jobs-change',
    text: `with given as materialized (
             select * from unnest($1::text[], $2::text[], $3::float8[], $4::text[], $5::integer[])
               as item (message_id, state, after_seconds, while_state, while_attempt)),
           held as materialized (
             select j.message_id, given.state, given.after_seconds from message_jobs j join given using (message_id)
             where (given.while_state is null or j.state = given.while_state)
               and (given.while_attempt is null or j.attempts = given.while_attempt)
             order by j.message_id for update of j),
           gone as (
             delete from message_jobs j using held where j.message_id = held.message_id and held.state is null),
           moved as (
             update message_jobs j set state = held.state,
               due_at = clock_timestamp() + make_interval(secs => held.after_seconds)
             from held where j.message_id = held.message_id and held.state is not null)
           select message_id from held`,
    values: [
      changes.map(({ messageId }) => messageId),
      changes.map(({ state }) => state),
      changes.map(({ afterSeconds }) => afterSeconds),
      changes.map(({ whileState }) => whileState),
      changes.map(({ whileAttempt }) => whileAttempt),
    ],
  });
  return new Set(rows.map((row) => row.message_id));
}

export async function ownerOfMessage(db: Queryable, messageId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'message-owner',
    text: 'select organization_id from messages where message_id = $1',
    values: [messageId],
  });
  return rows[0]?.organization_id;
}
