import path from 'node:path';
import { keptPlans, type Asking } from './kept-plans';
import { testDatabase, type TestDatabase } from './test-database';

/** What a service says of the functions of its modules with SQL. */
export interface PlanTables {
  /** The service's folder, with src/ and migrations/. */
  readonly service: string;
  readonly schema: string;
  /** Every function that asks something, with the only ways by which its statements may reach their rows, as `keptPlans` names both. */
  readonly expected: Readonly<Record<string, readonly string[]>>;
  /** What asks nothing, or not by itself, and minds what it is given. */
  readonly others: readonly string[];
  /** What is asked with arguments that mean something, where statements hang on them: in place of a function, or beside it by a name of its own. */
  readonly asked?: Readonly<Record<string, Asking>>;
  /** Read whole, or from one end, with a reason. Without it nothing is. */
  readonly read?: Readonly<Record<string, string>>;
}

/**
 * Declares the tests of the tables as wholes, in the describe that calls it, on a database that is empty.
 * @returns what the test of one function runs, which the service titles itself: the function goes by its expected ways
 */
export function keptPlanTests(tables: PlanTables): (name: string) => void {
  const { service, schema, expected, others, asked, read = {} } = tables;
  let database: TestDatabase;
  let plans: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    database = await testDatabase({ migrations: path.join(service, 'migrations'), schema });
    plans = await keptPlans(database.db, path.join(service, 'src'), (file) => jest.requireActual(file), asked);
  });
  afterAll(() => database.drop());

  it('every function that asks something is listed', () => {
    expect([...plans.keys()].filter((name) => !others.includes(name)).sort()).toEqual(Object.keys(expected).sort());
  });

  it('what is read whole is so for a reason', () => {
    const whole = Object.values(expected)
      .flat()
      .filter((way) => !way.includes(' by '));
    expect([...new Set(whole)].sort()).toEqual(Object.keys(read).sort());
  });

  return (name) => expect(plans.get(name)).toEqual(expected[name]);
}
