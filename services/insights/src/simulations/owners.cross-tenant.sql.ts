import type { Queryable } from '@parley/runtime';

/** Returns the organization that owns a suite, for an operator who named none. The result contains nothing but the owner. */
export async function findSuiteOwner(db: Queryable, suiteId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'simulation-suite-owner',
    text: 'select organization_id from simulation_suites where simulation_suite_id = $1',
    values: [suiteId],
  });
  return rows[0]?.organization_id;
}

/** The same for a run. */
export async function findRunOwner(db: Queryable, runId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'simulation-run-owner',
    text: 'select organization_id from simulation_runs where simulation_run_id = $1',
    values: [runId],
  });
  return rows[0]?.organization_id;
}

/** For each route that creates a record: a condition that the record still exists. Its stored response is kept as long. */
export const simulationExists: Readonly<Record<string, string>> = {
  sim: 'exists (select 1 from simulation_suites where simulation_suite_id = idempotency.record_id)',
  run: 'exists (select 1 from simulation_runs where simulation_run_id = idempotency.record_id)',
};
