import type { Queryable } from '@parley/runtime';

export interface JobRow {
  readonly job_id: string;
  readonly organization_id: string;
  readonly simulation_run_id: string;
  readonly scenario: number;
  readonly first_repetition: number;
  readonly repetitions: number;
  readonly epoch: number;
  /** What a worker needs for a spoken job; null: a job without sound. */
  readonly needs: readonly string[] | null;
}

const columns =
  'j.job_id, j.organization_id, j.simulation_run_id, j.scenario, j.first_repetition, j.repetitions, j.epoch, j.needs';

/**
 * Leases jobs that are due; organizations take turns. Jobs that another claim has locked are skipped. @param organizationId empty for a hosted runner, which
 * serves all organizations
 */
export async function leaseSimulationJobs(
  db: Queryable,
  organizationId: string,
  {
    workerId,
    limit,
    leaseSeconds,
    offers,
  }: {
    readonly workerId: string;
    readonly limit: number;
    readonly leaseSeconds: number;
    /** Spoken jobs that need nothing else are leased; null: jobs without sound. */
    readonly offers: readonly string[] | null;
  },
): Promise<JobRow[]> {
  const { rows } = await db.query<JobRow>({
    name: 'simulation-jobs-lease',
    text: `with passes as materialized (
             select job_id, row_number() over (partition by organization_id order by job_id) as nth
             from simulation_jobs where due_at <= now() and ($4 = '' or organization_id = $4)
               and case when $5::text[] is null then needs is null else needs <@ $5 end),
           due as materialized (
             select j.job_id from simulation_jobs j join passes on passes.job_id = j.job_id
             where j.due_at <= now() order by passes.nth, j.job_id limit $2 for update of j skip locked)
           update simulation_jobs j set epoch = j.epoch + 1, worker_id = $1,
             due_at = clock_timestamp() + make_interval(secs => $3)
           from due where j.job_id = due.job_id returning ${columns}`,
    values: [workerId, limit, leaseSeconds, organizationId, offers],
  });
  return rows;
}

/** Records what a worker of spoken jobs offers. Offers that were not made for a day are deleted. */
export async function noteOffers(db: Queryable, offers: readonly string[]): Promise<void> {
  await db.query({
    name: 'simulation-offers-note',
    text: `with old as (delete from simulation_spoken_offers where seen_at < now() - interval '1 day' and offers <> $1::text[])
           insert into simulation_spoken_offers (offers) values ($1::text[])
           on conflict (offers) do update set seen_at = clock_timestamp()`,
    values: [offers],
  });
}

/** Returns what each worker that recently requested spoken jobs offers. */
export async function currentOffers(db: Queryable): Promise<(readonly string[])[]> {
  const { rows } = await db.query<{ offers: string[] }>({
    name: 'simulation-offers-current',
    text: `select offers from simulation_spoken_offers where seen_at > now() - interval '5 minutes'`,
    values: [],
  });
  return rows.map(({ offers }) => offers);
}

/** Returns spoken jobs that have waited for ten minutes and that no worker can have any more. */
export async function abandonedSpokenJobs(db: Queryable): Promise<JobRow[]> {
  const { rows } = await db.query<JobRow>({
    name: 'simulation-jobs-abandoned',
    text: `select ${columns} from simulation_jobs j
           where j.needs is not null and j.due_at < now() - interval '10 minutes' and not exists (
             select 1 from simulation_spoken_offers o where o.seen_at > now() - interval '5 minutes' and j.needs <@ o.offers)
           order by j.due_at limit 100`,
    values: [],
  });
  return rows;
}

/** Records that a worker has requested jobs. */
export async function noteRunner(db: Queryable): Promise<void> {
  await db.query({
    name: 'simulation-runner-note',
    text: 'insert into simulation_runner_seen default values on conflict (one) do update set seen_at = clock_timestamp()',
    values: [],
  });
}

/** Whether any worker has requested jobs recently. */
export async function hasRunner(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ seen: boolean }>({
    name: 'simulation-runner-seen',
    text: `select seen_at > now() - interval '5 minutes' as seen from simulation_runner_seen where one = true`,
    values: [],
  });
  return rows[0]?.seen === true;
}

export interface RunToHave {
  readonly simulation_run_id: string;
  readonly agent_id: string;
  readonly scenarios: string;
  readonly configuration: string;
}

/** Returns the runtime configurations for the conversations of leased jobs. */
export async function runsToHave(db: Queryable, runIds: readonly string[]): Promise<RunToHave[]> {
  const { rows } = await db.query<RunToHave>({
    name: 'simulation-runs-to-have',
    text: 'select simulation_run_id, agent_id, scenarios, configuration from simulation_runs where simulation_run_id = any($1::text[])',
    values: [runIds],
  });
  return rows;
}

/** Returns the job, locked until the transaction ends. @param organizationId empty: of any organization */
export async function lockSimulationJob(
  tx: Queryable,
  organizationId: string,
  jobId: string,
): Promise<JobRow | undefined> {
  const { rows } = await tx.query<JobRow>({
    name: 'simulation-job-lock',
    text: `select ${columns} from simulation_jobs j where j.job_id = $1 and ($2 = '' or j.organization_id = $2) for update`,
    values: [jobId, organizationId],
  });
  return rows[0];
}

export async function keepSimulationLease(tx: Queryable, jobId: string, leaseSeconds: number): Promise<void> {
  await tx.query({
    name: 'simulation-job-keep',
    text: 'update simulation_jobs set due_at = clock_timestamp() + make_interval(secs => $2) where job_id = $1',
    values: [jobId, leaseSeconds],
  });
}

export async function endSimulationJob(tx: Queryable, jobId: string): Promise<void> {
  await tx.query({
    name: 'simulation-job-end',
    text: 'delete from simulation_jobs where job_id = $1',
    values: [jobId],
  });
}
