import path from 'node:path';
import type { Database } from '@parley/runtime';
import { fillTables } from './filled-tables';
import { genericPlans, type Asking } from './generic-plans';
import { testDatabase, type TestDatabase } from './test-database';

/** What a service declares about the functions of its SQL modules. */
export interface PlanTables {
  /** The service's folder, which contains src/ and schema.sql. */
  readonly service: string;
  readonly schema: string;
  /**
   * The only access paths that the statements of a function may use, in the notation of `genericPlans`. Statements of unlisted functions may use any index by
   * compared columns; a function with a complete scan of a table or index must be listed.
   */
  readonly expected: Readonly<Record<string, readonly string[]>>;
  /** Functions that have no statements themselves, or that require meaningful arguments. */
  readonly others: readonly string[];
  /**
   * Calls with meaningful arguments, for functions whose statements depend on their arguments. They replace the function of the same name, or are added under
   * another name.
   */
  readonly asked?: Readonly<Record<string, Asking>>;
  /** Allowed complete scans, or scans from one end of an index, with the reason. Default: none. */
  readonly read?: Readonly<Record<string, string>>;
}

/**
 * Declares the tests that concern all functions, within the calling describe, with tables that have rows.
 * @returns the test of a single function, for which the service declares the title: the function may only use its expected access paths
 */
export function genericPlanTests(tables: PlanTables): (name: string) => void {
  const { service, schema, expected, others, asked, read = {} } = tables;
  let database: TestDatabase;
  let plans: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    database = await testDatabase({ schemaFile: path.join(service, 'schema.sql'), schema });
    await extendRings(database.db);
    await fillTables(database.adminUrl, schema);
    plans = await genericPlans(database.db, path.join(service, 'src'), (file) => jest.requireActual(file), asked);
    // Loads and compiles every file of the service that has a statement.
  }, 600_000);
  afterAll(() => database.drop());

  it('every listed function exists', () => {
    expect(Object.keys(expected).filter((name) => !plans.has(name))).toEqual([]);
  });

  it('functions that are not listed use only index conditions', () => {
    const unlisted = [...plans].filter(([name]) => !others.includes(name) && expected[name] === undefined);
    expect(unlisted.filter(([, ways]) => ways.some((way) => !way.includes(' by ') || way.endsWith(' by ')))).toEqual(
      [],
    );
  });

  it('every complete scan is listed with a reason', () => {
    const whole = Object.values(expected)
      .flat()
      .filter((way) => !way.includes(' by '));
    expect([...new Set(whole)].sort()).toEqual(Object.keys(read).sort());
  });

  return (name) => expect(plans.get(name)).toEqual(expected[name]);
}

/** Creates daily partitions in addition to the default one, because plans must cover both. */
async function extendRings(db: Database): Promise<void> {
  const { rows } = await db.query<{ ring: string; prefix: string }>({
    text: `select c.relname as ring, case when a.atttypid = 'text'::regtype then 'evt' else '' end as prefix
      from pg_partitioned_table t join pg_class c on c.oid = t.partrelid
        join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
      where c.relnamespace = current_schema()::regnamespace`,
  });
  for (const { ring, prefix } of rows) {
    await db.query({
      text: `select ring_extend($1, $2, date_trunc('day', now()), date_trunc('day', now()) + interval '1 day', 0, 100)`,
      values: [ring, prefix],
    });
  }
}
