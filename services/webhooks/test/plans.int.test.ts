import type { Database, Statement } from '@parley/runtime';
import { testDatabase, type TestDatabase } from '@parley/testing';
import { attemptsOf, findDelivery, listAttempts, listDeliveries } from '../src/db/deliveries';
import { headOf, placeBefore, placeOfEvent, readLog } from '../src/db/event-log';
import { dueDeliveries } from '../src/db/jobs/due-deliveries';
import { leaseLanes, leaveLanes, renewLanes } from '../src/db/jobs/lanes';
import { insertDeliveries, insertEvents, matchEndpoints, wakeLanes } from '../src/db/jobs/record-events';
import { claimRecovery, recoverNext, saveStep } from '../src/db/jobs/recoveries';
import { insertRecovery, listRecoveries } from '../src/db/recoveries';
import { cancelWaiting, restartLane, resumeParked, retryNow, wakeLane } from '../src/db/waiting-deliveries';
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

const search = { type: '', since: null, until: null };
const page = { ...search, status: '', after: '', limit: 20 };
const step = { examined: 1, recovered: 1, position: 'dlv_1' };
const made = { id: 'rec_1', endpointId: 'ep_1', since: '2026-01-01T00:00:00Z', generation: 1, withFailed: true };
const recovery = {
  id: 'rec_1',
  organization_id: 'o',
  endpoint_id: 'ep_1',
  since: new Date(0),
  generation: 1,
  with_failed: true,
  position: '',
  last_position: 'dlw',
  active: true,
};

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
  cancelWaiting: {
    run: (db) => cancelWaiting(db, 'o', 'ep_1', ['call.ended']),
    indexes: ['deliveries_pkey', 'deliveries_search'],
  },
  resumeParked: { run: (db) => resumeParked(db, 'o', 'ep_1'), indexes: ['deliveries_pkey', 'deliveries_search'] },
  retryNow: { run: (db) => retryNow(db, 'o', 'dlv_1'), indexes: ['deliveries_pkey'] },
  restartLane: { run: (db) => restartLane(db, 'o', 'ep_1'), indexes: ['lanes_pkey'] },
  wakeLane: { run: (db) => wakeLane(db, 'o', 'ep_1'), indexes: ['lanes_pkey'] },
  claimRecovery: { run: (db) => claimRecovery(db), indexes: ['endpoints_pkey', 'recoveries_running'] },
  recoverNext: { run: (db) => recoverNext(db, recovery, 5_000), indexes: ['deliveries_listing', 'deliveries_pkey'] },
  saveStep: { run: (db) => saveStep(db, recovery, step, 'running'), indexes: ['lanes_pkey', 'recoveries_pkey'] },
  insertRecovery: {
    run: (db) => insertRecovery(db, 'o', made).catch(() => undefined),
    indexes: ['deliveries_listing'],
  },
  listRecoveries: {
    run: (db) => listRecoveries(db, 'o', 'ep_1', { after: '', limit: 20 }),
    indexes: ['recoveries_listing'],
  },
  findDelivery: { run: (db) => findDelivery(db, 'o', 'dlv_1'), indexes: ['deliveries_pkey'] },
  attemptsOf: { run: (db) => attemptsOf(db, 'o', 'dlv_1'), indexes: ['attempts_pkey'] },
  'listDeliveries, all': { run: (db) => listDeliveries(db, 'o', 'ep_1', page), indexes: ['deliveries_listing'] },
  'listDeliveries of a status': {
    run: (db) => listDeliveries(db, 'o', 'ep_1', { ...page, status: 'failed' }),
    indexes: ['deliveries_search'],
  },
  'listAttempts of a type': {
    run: (db) => listAttempts(db, 'o', 'ep_1', { ...search, outcome: 'failed', type: 'call.ended', limit: 20 }),
    indexes: ['attempts_search'],
  },
  readLog: {
    run: (db) => readLog(db, 'o', { types: ['call.ended'], after: 5, limit: 20, maxBytes: 1_000 }),
    indexes: ['events_log', 'events_of_organization'],
  },
  headOf: { run: (db) => headOf(db, 'o'), indexes: ['event_heads_pkey'] },
  placeOfEvent: { run: (db) => placeOfEvent(db, 'o', 'evt_1'), indexes: ['events_of_organization'] },
  placeBefore: { run: (db) => placeBefore(db, 'o', 'evt_1'), indexes: ['events_of_organization'] },
};

/** Each partition has indexes of its own, named by what they hold. */
const nameOf = (index: string): string =>
  index
    .replace(/^attempts_(?:\d{8}|other)_organization_id_endpoint_id_started_at_\w+$/, 'attempts_search')
    .replace(/^attempts_(?:\d{8}|other)_pkey$/, 'attempts_pkey');

describe('plans that are kept, made while every table is empty', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase({ migrations, schema: 'webhooks' });
  });
  afterAll(() => database.drop());

  const planOf = ({ text, values = [] }: Statement): Promise<string> =>
    database.db.transaction(async (tx) => {
      await tx.query({ text: 'set local plan_cache_mode = force_generic_plan' });
      await tx.query({ text: `prepare plan_of as ${text}` });
      const given = values.length === 0 ? '' : `(${values.map(() => 'null').join(', ')})`;
      const { rows } = await tx.query<{ 'QUERY PLAN': string }>({ text: `explain execute plan_of ${given}` });
      await tx.query({ text: 'deallocate plan_of' });
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
        for (const [, index = ''] of plan.matchAll(/(?:using|Bitmap Index Scan on) (\w+)/g)) used.add(nameOf(index));
      }
      expect([...used].sort()).toEqual(indexes);
    },
  );
});
