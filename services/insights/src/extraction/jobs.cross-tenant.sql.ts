import type { Queryable } from '@parley/runtime';

export interface ExtractionJob {
  readonly callId: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly runId: string;
  readonly rerunId: string | null;
  /** How many times the job was leased. */
  readonly attempt: number;
}

export interface TranscriptReady {
  readonly eventId: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly callId: string;
}

/** Inserts jobs for calls whose agent has an extraction configured. A call that already has a job keeps it. */
export async function addJobs(db: Queryable, calls: readonly TranscriptReady[]): Promise<number> {
  const { rowCount } = await db.query({
    name: 'extraction-jobs-add',
    text: `insert into extraction_jobs (call_id, organization_id, agent_id, run_id)
           select ready.call_id, ready.organization_id, ready.agent_id, ready.event_id
           from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as ready (call_id, organization_id, agent_id, event_id)
             join extraction_configurations c
               on c.agent_id = ready.agent_id and c.organization_id = ready.organization_id and c.document is not null
           on conflict (call_id) do nothing`,
    values: [
      calls.map(({ callId }) => callId),
      calls.map(({ organizationId }) => organizationId),
      calls.map(({ agentId }) => agentId),
      calls.map(({ eventId }) => eventId),
    ],
  });
  return rowCount;
}

/**
 * Leases jobs that are due, oldest first. Jobs that another process has locked are skipped.
 * @param live true for jobs of calls that have just ended, false for jobs of reruns
 * @param without organizations that already use their share of this process
 */
export async function leaseJobs(
  db: Queryable,
  wanted: {
    readonly live: boolean;
    readonly limit: number;
    readonly leaseSeconds: number;
    readonly without: readonly string[];
  },
): Promise<ExtractionJob[]> {
  const { rows } = await db.query<{
    call_id: string;
    organization_id: string;
    agent_id: string;
    run_id: string;
    rerun_id: string | null;
    attempts: number;
  }>({
    name: 'extraction-jobs-lease',
    text: `with due as materialized (
             select j.call_id from extraction_jobs j
             where (j.rerun_id is null) = $1 and j.due_at <= now() and j.organization_id <> all($4::text[])
             order by j.due_at limit $2 for update skip locked)
           update extraction_jobs j set attempts = j.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $3)
           from due where j.call_id = due.call_id
           returning j.call_id, j.organization_id, j.agent_id, j.run_id, j.rerun_id, j.attempts`,
    values: [wanted.live, wanted.limit, wanted.leaseSeconds, wanted.without],
  });
  return rows.map((row) => ({
    callId: row.call_id,
    organizationId: row.organization_id,
    agentId: row.agent_id,
    runId: row.run_id,
    rerunId: row.rerun_id,
    attempt: row.attempts,
  }));
}

/** Extends the leases of jobs in progress. Jobs that another process has taken over stay unchanged. */
export async function renewJobs(db: Queryable, jobs: readonly ExtractionJob[], leaseSeconds: number): Promise<void> {
  await db.query({
    name: 'extraction-jobs-renew',
    text: `update extraction_jobs j set due_at = clock_timestamp() + make_interval(secs => $3)
           from unnest($1::text[], $2::integer[]) as held (call_id, attempts)
           where j.call_id = held.call_id and j.attempts = held.attempts`,
    values: [jobs.map(({ callId }) => callId), jobs.map(({ attempt }) => attempt), leaseSeconds],
  });
}

export interface RerunToList {
  readonly rerunId: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly from: Date;
  readonly to: Date;
  readonly position: string;
  readonly calls: number;
}

/** Returns reruns of which not all calls have been listed yet. */
export async function rerunsToList(db: Queryable): Promise<RerunToList[]> {
  const { rows } = await db.query<{
    rerun_id: string;
    organization_id: string;
    agent_id: string;
    period_from: Date;
    period_to: Date;
    position: string;
    calls: number;
  }>({
    name: 'extraction-reruns-to-list',
    text: `select rerun_id, organization_id, agent_id, period_from, period_to, position, calls
           from extraction_reruns where not listed order by rerun_id limit 20`,
  });
  return rows.map((row) => ({
    rerunId: row.rerun_id,
    organizationId: row.organization_id,
    agentId: row.agent_id,
    from: row.period_from,
    to: row.period_to,
    position: row.position,
    calls: row.calls,
  }));
}

/** For each route that creates a record: a condition that the record still exists. Its stored response is kept as long. */
export const recordExists: Readonly<Record<string, string>> = {
  ext: 'exists (select 1 from extraction_reruns where organization_id = idempotency.organization_id and rerun_id = idempotency.record_id)',
};
