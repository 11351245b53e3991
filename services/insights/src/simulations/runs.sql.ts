import type { Queryable } from '@parley/runtime';

export interface RunRow {
  readonly simulation_run_id: string;
  readonly organization_id: string;
  readonly simulation_suite_id: string;
  readonly agent_id: string;
  readonly target: string;
  readonly publication_version: number;
  readonly publication_sha256: string;
  readonly repetitions: number;
  readonly simulated_model: boolean;
  readonly spoken: boolean;
  /** JSON of the list of scenarios. */
  readonly scenarios: string;
  /** JSON of the extraction configuration; null if no assertion needs it. */
  readonly extraction: string | null;
  readonly conversations: number;
  readonly done: number;
  readonly failed: number;
  readonly started: boolean;
  readonly canceled: boolean;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

export interface NewRun extends Pick<
  RunRow,
  | 'simulation_run_id'
  | 'simulation_suite_id'
  | 'agent_id'
  | 'target'
  | 'publication_version'
  | 'publication_sha256'
  | 'repetitions'
  | 'simulated_model'
  | 'spoken'
  | 'scenarios'
  | 'extraction'
  | 'conversations'
> {
  /** JSON of RuntimeConfiguration. */
  readonly configuration: string;
}

const columns = `simulation_run_id, organization_id, simulation_suite_id, agent_id, target, publication_version, publication_sha256,
  repetitions, simulated_model, spoken, scenarios, extraction, conversations, done, failed, started, canceled, created_at, finished_at`;

/** Returns how many runs of the organization are in progress, and how many of them are spoken. Until this transaction ends, no other one can start a run. */
export async function countUnderWay(
  tx: Queryable,
  organizationId: string,
): Promise<{ readonly all: number; readonly spoken: number }> {
  await tx.query({
    name: 'simulation-runs-lock',
    text: 'select pg_advisory_xact_lock(7413, hashtext($1))',
    values: [organizationId],
  });
  const { rows } = await tx.query<{ count: string; spoken: string }>({
    name: 'simulation-runs-under-way',
    text: `select count(*), count(*) filter (where spoken) as spoken
           from simulation_runs where organization_id = $1 and finished_at is null`,
    values: [organizationId],
  });
  return { all: Number(rows[0]?.count ?? 0), spoken: Number(rows[0]?.spoken ?? 0) };
}

/** Inserts a run and its jobs, each with this many conversations of one scenario. @param needs what a worker needs for them; null: no sound */
export async function insertRun(
  tx: Queryable,
  organizationId: string,
  run: NewRun,
  jobs: readonly {
    readonly jobId: string;
    readonly scenario: number;
    readonly first: number;
    readonly repetitions: number;
  }[],
  needs: readonly string[] | null,
): Promise<RunRow> {
  const { rows } = await tx.query<RunRow>({
    name: 'simulation-run-insert',
    text: `insert into simulation_runs (organization_id, simulation_run_id, simulation_suite_id, agent_id, target, publication_version,
             publication_sha256, repetitions, simulated_model, scenarios, conversations, configuration, extraction, spoken)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning ${columns}`,
    values: [
      ...[organizationId, run.simulation_run_id, run.simulation_suite_id, run.agent_id, run.target],
      ...[run.publication_version, run.publication_sha256, run.repetitions, run.simulated_model, run.scenarios],
      ...[run.conversations, run.configuration, run.extraction, run.spoken],
    ],
  });
  await tx.query({
    name: 'simulation-jobs-insert',
    text: `insert into simulation_jobs (organization_id, simulation_run_id, job_id, scenario, first_repetition, repetitions, needs)
           select $1, $2, job_id, scenario, first_repetition, repetitions, $7::text[]
           from unnest($3::text[], $4::integer[], $5::integer[], $6::integer[]) as job (job_id, scenario, first_repetition, repetitions)`,
    values: [
      organizationId,
      run.simulation_run_id,
      jobs.map(({ jobId }) => jobId),
      jobs.map(({ scenario }) => scenario),
      jobs.map(({ first }) => first),
      jobs.map(({ repetitions }) => repetitions),
      needs,
    ],
  });
  return rows[0] as RunRow;
}

export async function findRun(db: Queryable, organizationId: string, runId: string): Promise<RunRow | undefined> {
  const { rows } = await db.query<RunRow>({
    name: 'simulation-run-find',
    text: `select ${columns} from simulation_runs where organization_id = $1 and simulation_run_id = $2`,
    values: [organizationId, runId],
  });
  return rows[0];
}

/** Returns the runs of a suite, newest first, and one more than the limit, if any. */
export async function pageOfRuns(
  db: Queryable,
  organizationId: string,
  suiteId: string,
  page: {
    readonly limit: number;
    readonly after: { readonly createdAt: string; readonly runId: string } | undefined;
  },
): Promise<RunRow[]> {
  const { rows } = await db.query<RunRow>({
    name: 'simulation-runs-of-suite',
    text: `select ${columns} from simulation_runs
           where organization_id = $1 and simulation_suite_id = $2
             and (created_at, simulation_run_id) < ($3::timestamptz, $4)
           order by created_at desc, simulation_run_id desc limit $5::integer + 1`,
    values: [organizationId, suiteId, page.after?.createdAt ?? 'infinity', page.after?.runId ?? '', page.limit],
  });
  return rows;
}

/** Returns the run, locked until the transaction ends. */
export async function lockRun(tx: Queryable, organizationId: string, runId: string): Promise<RunRow | undefined> {
  const { rows } = await tx.query<RunRow>({
    name: 'simulation-run-lock',
    text: `select ${columns} from simulation_runs
           where organization_id = $1 and simulation_run_id = $2 for update`,
    values: [organizationId, runId],
  });
  return rows[0];
}

/** Counts finished conversations. With the last one the run is finished. */
export async function countDone(
  tx: Queryable,
  organizationId: string,
  runId: string,
  { done, failed }: { readonly done: number; readonly failed: number },
): Promise<void> {
  await tx.query({
    name: 'simulation-run-count',
    text: `update simulation_runs set done = done + $3, failed = failed + $4, started = true,
             finished_at = case when done + $3 >= conversations then date_trunc('milliseconds', clock_timestamp()) end
           where organization_id = $1 and simulation_run_id = $2 and finished_at is null`,
    values: [organizationId, runId, done, failed],
  });
}

/** Cancels a run in progress. Its jobs are deleted; a worker learns this from the response to its next report. */
export async function cancelRunRow(tx: Queryable, organizationId: string, runId: string): Promise<RunRow> {
  await tx.query({
    name: 'simulation-run-jobs-remove',
    text: 'delete from simulation_jobs where organization_id = $1 and simulation_run_id = $2',
    values: [organizationId, runId],
  });
  const { rows } = await tx.query<RunRow>({
    name: 'simulation-run-cancel',
    text: `update simulation_runs set canceled = true, finished_at = date_trunc('milliseconds', clock_timestamp())
           where organization_id = $1 and simulation_run_id = $2 returning ${columns}`,
    values: [organizationId, runId],
  });
  return rows[0] as RunRow;
}

/** Deletes the runs of a suite with all their data, except for the newest finished ones. @param keep how many finished runs are kept */
export async function removeRunsOfSuite(
  tx: Queryable,
  organizationId: string,
  suiteId: string,
  keep: number,
): Promise<void> {
  await tx.query({
    name: 'simulation-runs-remove',
    text: `with gone as materialized (
             select simulation_run_id from simulation_runs
             where organization_id = $1 and simulation_suite_id = $2 and ($3::integer = 0 or finished_at is not null)
             order by created_at desc, simulation_run_id desc offset $3),
           jobs as (delete from simulation_jobs j using gone
             where j.simulation_run_id = gone.simulation_run_id and j.organization_id = $1),
           results as (delete from simulation_results r using gone
             where r.simulation_run_id = gone.simulation_run_id and r.organization_id = $1)
           delete from simulation_runs r using gone where r.simulation_run_id = gone.simulation_run_id and r.organization_id = $1`,
    values: [organizationId, suiteId, keep],
  });
}
