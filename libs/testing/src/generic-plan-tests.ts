import path from 'node:path';
import type { Database } from '@parley/runtime';
import { genericPlans, type Asking } from './generic-plans';
import { testDatabase, type TestDatabase } from './test-database';

/** A service's declarations about the functions of its SQL modules. */
export interface PlanTables {
  /** The service's folder, with src/ and migrations/. */
  readonly service: string;
  readonly schema: string;
  /**
   * Functions with the only access paths allowed for their statements, both named as by `genericPlans`. Statements of unlisted functions may use compared
   * columns of any index; one that scans a table or an index completely must be listed.
   */
  readonly expected: Readonly<Record<string, readonly string[]>>;
  /** Functions without statements of their own, or that require meaningful arguments. */
  readonly others: readonly string[];
  /** Calls with meaningful arguments for statements that depend on them: instead of a function, or in addition under another name. */
  readonly asked?: Readonly<Record<string, Asking>>;
  /** Allowed complete scans, or scans from one end, with a reason. Default: none. */
  readonly read?: Readonly<Record<string, string>>;
}

/**
 * Declares the tests of the tables as wholes, in the describe that calls it, on a database that is empty.
 * @returns what the test of one function runs, which the service titles itself: the function goes by its expected ways
 */
export function genericPlanTests(tables: PlanTables): (name: string) => void {
  const { service, schema, expected, others, asked, read = {} } = tables;
  let database: TestDatabase;
  let plans: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    database = await testDatabase({ migrations: path.join(service, 'migrations'), schema });
    await extendRings(database.db);
    plans = await genericPlans(database.db, path.join(service, 'src'), (file) => jest.requireActual(file), asked);
  });
  afterAll(() => database.drop());

  it('every listed function is there', () => {
    expect(Object.keys(expected).filter((name) => !plans.has(name))).toEqual([]);
  });

  it('what is not listed goes by compared columns of an index alone', () => {
    const unlisted = [...plans].filter(([name]) => !others.includes(name) && expected[name] === undefined);
    expect(unlisted.filter(([, ways]) => ways.some((way) => !way.includes(' by ') || way.endsWith(' by ')))).toEqual(
      [],
    );
  });

  it('what is read whole is so for a reason', () => {
    const whole = Object.values(expected)
      .flat()
      .filter((way) => !way.includes(' by '));
    expect([...new Set(whole)].sort()).toEqual(Object.keys(read).sort());
  });

  return (name) => expect(plans.get(name)).toEqual(expected[name]);
}

/** Rings have daily partitions as well as the default one: plans must cover both. */
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
