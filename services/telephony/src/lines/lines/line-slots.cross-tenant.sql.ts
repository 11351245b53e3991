import type { Queryable } from '@parley/runtime';

/** A worker whose last request is older than this gets no calls. Workers claim or send heartbeats every 5 s. */
const heardSeconds = 12;

/** First key of the advisory lock under which slots are counted and reserved; the second key is the schema. */
const slotSpace = 7404;

/** Ends the transaction of a process that stalls in the middle of it, so that it does not block the others for longer. */
const idleMs = 5_000;

/** Records the maximum of calls over lines that a hosted worker conducts. */
export async function noteSlots(db: Queryable, workerId: string, slots: number): Promise<void> {
  await db.query({
    name: 'line-slots-note',
    text: `with gone as (delete from adopting_workers where heard_at < now() - interval '10 minutes' and worker_id <> $1)
           insert into adopting_workers (worker_id, slots, heard_at) values ($1, $2, clock_timestamp())
           on conflict (worker_id) do update set slots = excluded.slots, heard_at = excluded.heard_at`,
    values: [workerId, slots],
  });
}

/** Serializes transactions that reserve slots. */
export async function lockSlots(tx: Queryable): Promise<void> {
  await tx.query({
    name: 'line-slots-lock',
    text: `select set_config('idle_in_transaction_session_timeout', $1, true),
             pg_advisory_xact_lock(${slotSpace}, hashtext(current_schema()))`,
    values: [String(idleMs)],
  });
}

/**
 * Free slots: those of the workers that are present, minus the calls that they adopted and the slots reserved for lines, including lines of calls that are
 * being handed over.
 */
export async function freeSlots(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ free: number }>({
    name: 'line-slots-free',
    text: `with worker as materialized (
             select worker_id, slots from adopting_workers where heard_at > clock_timestamp() - make_interval(secs => ${heardSeconds}))
           select (coalesce((select sum(slots) from worker), 0)
             - (select count(*) from carrier_lines l join jobs j on j.job_id = l.job_id
                where l.state <> 'closed' and l.reserved and j.state = 'adoptable')
             - (select count(*) from carrier_lines l join jobs j on j.job_id = l.job_id
                where l.state <> 'closed' and l.hand_over_until > clock_timestamp() and j.state = 'leased')
             - (select count(*) from jobs j where j.state = 'leased' and j.adopt_token_hash is not null
                and j.worker_id in (select worker_id from worker)))::integer as free`,
  });
  return rows[0]?.free ?? 0;
}

export interface DialedCalls {
  /** Calls through the account, over all organizations that share it. */
  readonly account: number;
  /** Calls of the organization, over all its accounts. */
  readonly organization: number;
}

/** The number of calls placed in the last second. */
export async function dialedJustNow(
  tx: Queryable,
  organizationId: string,
  provider: string,
  accountSid: string,
): Promise<DialedCalls> {
  const { rows } = await tx.query<DialedCalls>({
    name: 'line-slots-dialed',
    text: `with young as materialized (
             select organization_id, provider, account_sid from carrier_lines where opened_at > statement_timestamp() - interval '1 second')
           select count(*) filter (where provider = $2 and account_sid = $3)::integer as account,
             count(*) filter (where organization_id = $1)::integer as organization from young`,
    values: [organizationId, provider, accountSid],
  });
  return rows[0] ?? { account: 0, organization: 0 };
}
