import type { Queryable } from '@parley/runtime';

export interface ResultRow {
  readonly scenario: number;
  readonly repetition: number;
  readonly passed: boolean;
  /** JSON of the list of verdicts. */
  readonly verdicts: string;
  /** JSON of the other fields. */
  readonly document: string;
}

/** Stores conversations; existing ones stay unchanged. Returns for each new one whether it passed. */
export async function insertResults(
  tx: Queryable,
  organizationId: string,
  runId: string,
  results: readonly ResultRow[],
): Promise<boolean[]> {
  const { rows } = await tx.query<{ passed: boolean }>({
    name: 'simulation-results-insert',
    text: `insert into simulation_results (organization_id, simulation_run_id, scenario, repetition, passed, verdicts, document)
           select $1, $2, scenario, repetition, passed, verdicts, document
           from unnest($3::integer[], $4::integer[], $5::boolean[], $6::text[], $7::text[])
             as result (scenario, repetition, passed, verdicts, document)
           on conflict do nothing returning passed`,
    values: [
      organizationId,
      runId,
      results.map(({ scenario }) => scenario),
      results.map(({ repetition }) => repetition),
      results.map(({ passed }) => passed),
      results.map(({ verdicts }) => verdicts),
      results.map(({ document }) => document),
    ],
  });
  return rows.map(({ passed }) => passed);
}

/** Returns which conversations of a job are already stored. */
export async function repetitionsDone(
  tx: Queryable,
  organizationId: string,
  runId: string,
  { scenario, first, repetitions }: { readonly scenario: number; readonly first: number; readonly repetitions: number },
): Promise<number[]> {
  const { rows } = await tx.query<{ repetition: number }>({
    name: 'simulation-results-of-job',
    text: `select repetition from simulation_results
           where organization_id = $1 and simulation_run_id = $2 and scenario = $3 and repetition >= $4 and repetition < $4 + $5`,
    values: [organizationId, runId, scenario, first, repetitions],
  });
  return rows.map(({ repetition }) => repetition);
}

/** Returns the verdicts from which a run's report is computed, ordered by scenario and repetition. */
export async function readVerdicts(
  db: Queryable,
  organizationId: string,
  runId: string,
): Promise<Omit<ResultRow, 'document'>[]> {
  const { rows } = await db.query<Omit<ResultRow, 'document'>>({
    name: 'simulation-verdicts',
    text: `select scenario, repetition, passed, verdicts from simulation_results
           where organization_id = $1 and simulation_run_id = $2 order by scenario, repetition`,
    values: [organizationId, runId],
  });
  return rows;
}

/** Returns a page of conversations in that order, one more than the limit if there are more. */
export async function pageOfResults(
  db: Queryable,
  organizationId: string,
  runId: string,
  page: {
    readonly limit: number;
    readonly after: { readonly scenario: number; readonly repetition: number };
    /** Only conversations of these scenarios. */
    readonly from: number;
    readonly to: number;
  },
): Promise<ResultRow[]> {
  const { limit, after, from, to } = page;
  const { rows } = await db.query<ResultRow>({
    name: 'simulation-results-page',
    text: `select scenario, repetition, passed, verdicts, document from simulation_results
           where organization_id = $1 and simulation_run_id = $2 and (scenario, repetition) > ($3::integer, $4::integer)
             and scenario between $5 and $6
           order by scenario, repetition limit $7::integer + 1`,
    values: [organizationId, runId, after.scenario, after.repetition, from, to, limit],
  });
  return rows;
}
