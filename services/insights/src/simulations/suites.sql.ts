import type { Queryable } from '@parley/runtime';

export interface SuiteRow {
  readonly simulation_suite_id: string;
  readonly organization_id: string;
  readonly project_id: string;
  readonly agent_id: string;
  readonly name: string;
  /** JSON of the list of scenarios. */
  readonly scenarios: string;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns =
  'simulation_suite_id, organization_id, project_id, agent_id, name, scenarios, revision, created_at, updated_at';

/** Returns how many suites the organization has. Until this transaction ends, no other one can create a suite. */
export async function countSuites(tx: Queryable, organizationId: string): Promise<number> {
  await tx.query({
    name: 'simulation-suites-lock',
    text: 'select pg_advisory_xact_lock(7412, hashtext($1))',
    values: [organizationId],
  });
  const { rows } = await tx.query<{ count: string }>({
    name: 'simulation-suites-count',
    text: 'select count(*) from simulation_suites where organization_id = $1',
    values: [organizationId],
  });
  return Number(rows[0]?.count ?? 0);
}

export async function insertSuite(
  tx: Queryable,
  organizationId: string,
  suite: Pick<SuiteRow, 'simulation_suite_id' | 'project_id' | 'agent_id' | 'name' | 'scenarios'>,
): Promise<SuiteRow> {
  const { simulation_suite_id, project_id, agent_id, name, scenarios } = suite;
  const { rows } = await tx.query<SuiteRow>({
    name: 'simulation-suite-insert',
    // The column defaults would read the clock twice.
    text: `insert into simulation_suites (organization_id, simulation_suite_id, project_id, agent_id, name, scenarios, created_at, updated_at)
           select $1, $2, $3, $4, $5, $6, made.at, made.at
           from (select date_trunc('milliseconds', clock_timestamp()) as at) made
           returning ${columns}`,
    values: [organizationId, simulation_suite_id, project_id, agent_id, name, scenarios],
  });
  return rows[0] as SuiteRow;
}

export async function findSuite(db: Queryable, organizationId: string, suiteId: string): Promise<SuiteRow | undefined> {
  const { rows } = await db.query<SuiteRow>({
    name: 'simulation-suite-find',
    text: `select ${columns} from simulation_suites where organization_id = $1 and simulation_suite_id = $2`,
    values: [organizationId, suiteId],
  });
  return rows[0];
}

/** Returns the suite, locked until the transaction ends. */
export async function lockSuite(tx: Queryable, organizationId: string, suiteId: string): Promise<SuiteRow | undefined> {
  const { rows } = await tx.query<SuiteRow>({
    name: 'simulation-suite-lock',
    text: `select ${columns} from simulation_suites
           where organization_id = $1 and simulation_suite_id = $2 for update`,
    values: [organizationId, suiteId],
  });
  return rows[0];
}

export async function replaceSuite(
  tx: Queryable,
  organizationId: string,
  suite: Pick<SuiteRow, 'simulation_suite_id' | 'name' | 'scenarios'>,
): Promise<SuiteRow> {
  const { rows } = await tx.query<SuiteRow>({
    name: 'simulation-suite-replace',
    text: `update simulation_suites set name = $3, scenarios = $4, revision = revision + 1,
             updated_at = date_trunc('milliseconds', clock_timestamp())
           where organization_id = $1 and simulation_suite_id = $2 returning ${columns}`,
    values: [organizationId, suite.simulation_suite_id, suite.name, suite.scenarios],
  });
  return rows[0] as SuiteRow;
}

export async function removeSuite(tx: Queryable, organizationId: string, suiteId: string): Promise<void> {
  await tx.query({
    name: 'simulation-suite-remove',
    text: 'delete from simulation_suites where organization_id = $1 and simulation_suite_id = $2',
    values: [organizationId, suiteId],
  });
}

/** Returns suites newest first, one more than the limit if there are more. */
export async function pageOfSuites(
  db: Queryable,
  organizationId: string,
  page: {
    readonly limit: number;
    /** Undefined: all projects. */
    readonly projectId: string | undefined;
    readonly after: { readonly createdAt: string; readonly suiteId: string } | undefined;
  },
): Promise<SuiteRow[]> {
  const { projectId, limit, after } = page;
  const { rows } = await db.query<SuiteRow>({
    name: projectId === undefined ? 'simulation-suites' : 'simulation-suites-project',
    text: `select ${columns} from simulation_suites
           where organization_id = $1 and (created_at, simulation_suite_id) < ($2::timestamptz, $3)
             ${projectId === undefined ? '' : 'and project_id = $5'}
           order by created_at desc, simulation_suite_id desc limit $4::integer + 1`,
    values: [
      organizationId,
      after?.createdAt ?? 'infinity',
      after?.suiteId ?? '',
      limit,
      ...(projectId === undefined ? [] : [projectId]),
    ],
  });
  return rows;
}
