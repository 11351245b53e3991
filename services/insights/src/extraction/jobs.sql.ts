import type { Queryable } from '@parley/runtime';
import type { ExtractionJob, RerunToList } from './jobs.cross-tenant.sql';

/** Ends a job, at most once, and counts it for its rerun, if any. */
export async function endJob(
  db: Queryable,
  { organizationId, callId, runId }: Pick<ExtractionJob, 'organizationId' | 'callId' | 'runId'>,
  outcome: 'ready' | 'failed' | 'skipped',
): Promise<void> {
  await db.query({
    name: 'extraction-job-end',
    text: `with ended as (
             delete from extraction_jobs where organization_id = $1 and call_id = $2 and run_id = $3
             returning rerun_id)
           update extraction_reruns r set
             ready = r.ready + case when $4::text = 'ready' then 1 else 0 end,
             failed = r.failed + case when $4::text = 'failed' then 1 else 0 end,
             skipped = r.skipped + case when $4::text = 'skipped' then 1 else 0 end,
             finished_at = case when r.listed and r.ready + r.failed + r.skipped + 1 >= r.calls then clock_timestamp() end
           from ended where r.organization_id = $1 and r.rerun_id = ended.rerun_id`,
    values: [organizationId, callId, runId, outcome],
  });
}

/** Schedules a retry. Does nothing if another process has taken over the lease. */
export async function deferJob(
  db: Queryable,
  { organizationId, callId, attempt }: ExtractionJob,
  seconds: number,
): Promise<void> {
  await db.query({
    name: 'extraction-job-defer',
    text: `update extraction_jobs set due_at = clock_timestamp() + make_interval(secs => $4)
           where organization_id = $1 and call_id = $2 and attempts = $3`,
    values: [organizationId, callId, attempt, seconds],
  });
}

/**
 * Adds jobs for a page of a rerun's calls. Changes nothing if another process has already added the page.
 * @param isLast whether this is the last page
 */
export async function addRerunPage(
  db: Queryable,
  { organizationId, rerunId, agentId, position }: RerunToList,
  callIds: readonly string[],
  isLast: boolean,
): Promise<void> {
  await db.query({
    name: 'extraction-rerun-page',
    text: `with current as (
             select rerun_id from extraction_reruns
             where organization_id = $1 and rerun_id = $2 and position = $4 and not listed for update),
           added as (
             insert into extraction_jobs (call_id, organization_id, agent_id, run_id, rerun_id)
             select page.call_id, $1, $3, current.rerun_id, current.rerun_id from current, unnest($5::text[]) as page (call_id)
             on conflict (call_id) do nothing returning 1),
           counted as (select count(*)::integer as jobs from added)
           update extraction_reruns r set
             position = coalesce(($5::text[])[cardinality($5::text[])], r.position),
             calls = r.calls + cardinality($5::text[]),
             skipped = r.skipped + cardinality($5::text[]) - counted.jobs,
             listed = $6,
             finished_at = case when $6 and r.ready + r.failed + r.skipped + cardinality($5::text[]) - counted.jobs
               >= r.calls + cardinality($5::text[]) then clock_timestamp() end
           from current, counted where r.organization_id = $1 and r.rerun_id = current.rerun_id`,
    values: [organizationId, rerunId, agentId, position, callIds, isLast],
  });
}

export interface RerunRow {
  readonly rerun_id: string;
  readonly agent_id: string;
  readonly period_from: Date;
  readonly period_to: Date;
  readonly calls: number;
  readonly ready: number;
  readonly failed: number;
  readonly skipped: number;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

const shown = 'rerun_id, agent_id, period_from, period_to, calls, ready, failed, skipped, created_at, finished_at';

/** @returns undefined if a rerun of the agent is already in progress */
export async function insertRerun(
  tx: Queryable,
  organizationId: string,
  { rerunId, agentId, from, to }: { rerunId: string; agentId: string; from: string; to: string },
): Promise<RerunRow | undefined> {
  const { rows } = await tx.query<RerunRow>({
    name: 'extraction-rerun-insert',
    text: `insert into extraction_reruns (rerun_id, organization_id, agent_id, period_from, period_to)
           values ($1, $2, $3, $4, $5) on conflict (agent_id) where finished_at is null do nothing returning ${shown}`,
    values: [rerunId, organizationId, agentId, from, to],
  });
  return rows[0];
}

export async function findRerun(
  db: Queryable,
  organizationId: string,
  agentId: string,
  rerunId: string,
): Promise<RerunRow | undefined> {
  const { rows } = await db.query<RerunRow>({
    name: 'extraction-rerun-find',
    text: `select ${shown} from extraction_reruns where organization_id = $1 and rerun_id = $3 and agent_id = $2`,
    values: [organizationId, agentId, rerunId],
  });
  return rows[0];
}
