import type { Database, Statement } from '@parley/runtime';
import { testDatabase, type TestDatabase } from '@parley/testing';
import { dueDeliveries } from '../src/db/jobs/due-deliveries';
import { leaseLanes, leaveLanes, renewLanes } from '../src/db/jobs/lanes';
import { insertDeliveries, insertEvents, matchEndpoints, wakeLanes } from '../src/db/jobs/record-events';
import { resumeStranded, parkEndpoints, parkWaiting, writeResults, writeStandings } from '../src/db/jobs/results';
import { migrations } from './webhooks-bench';

/** What a function asks of the database, which answers nothing. */
async function statementsOf(pool: Database['pool'], run: (db: Database) => Promise<unknown>): Promise<Statement[]> {
  const asked: Statement[] = [];
  const db: Database = {
    pool,
    query: (statement) => {
      asked.push(statement);
      return Promise.resolve({ rows: [], rowCount: 0 });
    },
    transaction: (work) => work(db),
  };
  await run(db);
  return asked;
}

const limits = { healthy: 8, unproven: 1, failing: 1 };

/** Each function with the only indexes by which its statements may reach the tables that grow. */
const hot: Record<string, { run: (db: Database) => Promise<unknown>; indexes: readonly string[] }> = {
  dueDeliveries: {
    run: (db) => dueDeliveries(db, new Map([['ep_1', 8]]), ['dlv_1']),
    indexes: ['deliveries_due', 'endpoint_secrets_pkey', 'endpoints_pkey', 'events_pkey'],
  },
  leaseLanes: { run: (db) => leaseLanes(db, 'r', 5, limits), indexes: ['endpoints_pkey', 'lanes_due', 'lanes_pkey'] },
  renewLanes: { run: (db) => renewLanes(db, 'r', 5), indexes: ['lanes_leased'] },
  leaveLanes: { run: (db) => leaveLanes(db, 'r', ['ep_1']), indexes: ['deliveries_due', 'lanes_leased', 'lanes_pkey'] },
  insertEvents: { run: (db) => insertEvents(db, []), indexes: [] },
  matchEndpoints: { run: (db) => matchEndpoints(db, ['evt_1']), indexes: ['endpoints_of_project', 'events_pkey'] },
  insertDeliveries: { run: (db) => insertDeliveries(db, []), indexes: [] },
  wakeLanes: { run: (db) => wakeLanes(db, ['ep_1']), indexes: ['lanes_pkey'] },
  writeResults: { run: (db) => writeResults(db, []), indexes: ['deliveries_pkey'] },
  writeStandings: { run: (db) => writeStandings(db, 'r', [], 5), indexes: ['lanes_leased'] },
  parkEndpoints: { run: (db) => parkEndpoints(db, []), indexes: ['endpoints_pkey'] },
  parkWaiting: { run: (db) => parkWaiting(db, ['ep_1']), indexes: ['deliveries_due', 'deliveries_pkey'] },
  resumeStranded: {
    run: (db) => resumeStranded(db, ['dlv_1']),
    indexes: ['deliveries_pkey', 'endpoints_pkey', 'lanes_pkey'],
  },
};

describe('plans that are kept, made while every table is empty', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase({ migrations, schema: 'webhooks' });
  });
  afterAll(() => database.drop());

  const planOf = ({ name, text, values = [] }: Statement): Promise<string> =>
    database.db.transaction(async (tx) => {
      await tx.query({ text: 'set local plan_cache_mode = force_generic_plan' });
      await tx.query({ text: `prepare "plan ${name}" as ${text}` });
      const given = values.map(() => 'null').join(', ');
      const { rows } = await tx.query<{ 'QUERY PLAN': string }>({ text: `explain execute "plan ${name}" (${given})` });
      await tx.query({ text: `deallocate "plan ${name}"` });
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });

  it.each(Object.entries(hot))(
    'decisions 6: %s goes by the index that fits when the tables are full',
    async (_, { run, indexes }) => {
      const statements = await statementsOf(database.db.pool, run);
      expect(statements.length).toBeGreaterThan(0);
      const used = new Set<string>();
      for (const statement of statements) {
        const plan = await planOf(statement);
        expect(plan).not.toMatch(/Seq Scan on|Merge Join/);
        for (const [, index = ''] of plan.matchAll(/(?:using|Bitmap Index Scan on) (\w+)/g)) used.add(index);
      }
      expect([...used].sort()).toEqual(indexes);
    },
  );
});
