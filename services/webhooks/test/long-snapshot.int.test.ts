import { systemClock, type Database, type Queryable } from '@parley/runtime';
import { testDatabase, type TestDatabase } from '@parley/testing';
import { readDepths } from '../src/deliveries/depths.cross-tenant.sql';
import { DueQueueFloors } from '../src/deliveries/due-queue-floors';
import { dueDeliveries } from '../src/deliveries/due-deliveries.cross-tenant.sql';
import { leaseEndpoints, releaseEndpoints, renewLeases } from '../src/deliveries/endpoint-leases.cross-tenant.sql';
import { QueueFloors } from '../src/deliveries/queue-floors';
import { writeHealth } from '../src/deliveries/results.cross-tenant.sql';
import { restartQueue, wakeQueue } from '../src/endpoints/waiting-deliveries.sql';
import { readHeads } from '../src/events/event-heads.cross-tenant.sql';
import { readHead } from '../src/events/event-log.sql';
import { wakeQueues } from '../src/events/record-events.cross-tenant.sql';
import { schemaFile } from './webhooks-bench';

/** The number of buffers that a statement reads while it runs. */
async function buffersOf(db: Queryable, text: string, values: readonly unknown[] = []): Promise<number> {
  const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
    text: `explain (analyze, buffers, format json) ${text}`,
    values: [...values],
  });
  const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN);
}

/** The number of buffers that the last statement of a function reads while it runs again. */
async function buffersAgain(db: Queryable, run: (db: Queryable) => Promise<unknown>): Promise<number> {
  let statement: { text: string; values?: readonly unknown[] } | undefined;
  await run({ query: (asked) => db.query((statement = asked)) });
  return buffersOf(db, statement?.text ?? '', statement?.values);
}

/** The number of buffers that all statements of a function read together. Each statement runs twice. */
async function buffersOfAll(db: Database, run: (db: Database) => Promise<unknown>): Promise<number> {
  let sum = 0;
  const measured = (on: Queryable): Queryable => ({
    query: async (asked) => {
      sum += await buffersOf(on, asked.text, asked.values);
      return on.query(asked);
    },
  });
  const transaction: Database['transaction'] = (work) => db.transaction((tx) => work(measured(tx)));
  await run({ ...measured(db), transaction, pool: db.pool });
  return sum;
}

const limits = { healthy: 10, unproven: 10, failing: 10 };

/** A transaction holds its snapshot while rows are updated many times, so no replaced row version can be removed. */
describe('while another transaction holds an old snapshot', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await testDatabase({ schemaFile, schema: 'webhooks' });
  });
  afterEach(() => database.drop());

  const withSnapshot = (work: () => Promise<void>): Promise<void> =>
    database.db.transaction(async (snapshot) => {
      await snapshot.query({ text: 'set transaction isolation level repeatable read' });
      await snapshot.query({ text: 'select count(*) from event_heads' });
      await work();
    });

  it('the position of an event log is advanced and read without reading its versions of earlier seconds', async () => {
    const { db } = database;
    const text = 'select * from advance_event_heads($1, $2)';
    const advance = (): Promise<unknown> => db.query({ text, values: [['org_aged'], [1]] });
    const buffers = (): Promise<number> => buffersOf(db, text, [['org_aged'], [1]]);
    await advance();
    await withSnapshot(async () => {
      await db.query({
        text: `do $$ declare at tid; now_era integer := extract(epoch from clock_timestamp()) / 2; begin
          select ctid into at from event_heads where organization_id = 'org_aged';
          for n in 1..20000 loop
            update event_heads set era = now_era - 500 + n / 40 where ctid = at returning ctid into at;
          end loop; end $$`,
      });
      // The first update of an era also checks the primary key, which visits all versions.
      const measured: number[] = [];
      while (measured.length < 4) {
        await advance();
        measured.push(await buffers());
      }
      expect(Math.min(...measured)).toBeLessThan(100);
      expect(await buffersOfAll(db, (on) => readHead(on, 'org_aged'))).toBeLessThan(100);
      expect(await buffersOfAll(db, (on) => readHeads(on, ['org_aged']))).toBeLessThan(100);
      await db.query({ text: `update event_heads set era = 1 where organization_id = 'org_aged'` });
      expect(await buffers()).toBeGreaterThan(200);
    });
  });

  it('due deliveries are found without reading the entries of finished ones', async () => {
    const { db } = database;
    await db.query({
      text: `insert into endpoints (organization_id, id, project_id, webhook_url, audio_stream_url, events)
        values ('o', 'ep_busy', 'p', 'u', 'u', '{call.ended}')`,
    });
    await withSnapshot(async () => {
      await db.query({
        text: `insert into deliveries (organization_id, id, endpoint_id, event_id, event_type, generation, status, next_attempt_at)
          select 'o', 'dlv_' || n, 'ep_busy', 'evt_' || n, 'call.ended', 0, 'pending', now() - interval '1 hour' + n * interval '100 milliseconds'
          from generate_series(1, 20000) n`,
      });
      await db.query({
        text: `update deliveries set status = 'delivered', next_attempt_at = null, finished_at = now()`,
      });

      const buffers = (floor: string): Promise<number> =>
        buffersAgain(db, (on) => dueDeliveries(on, new Map([['ep_busy', 10]]), [], [floor]));
      const floors = new QueueFloors(db, systemClock);
      expect(await buffers(floors.near('ep_busy'))).toBeGreaterThan(300);
      await floors.raise(['ep_busy']);
      expect(await buffers(floors.near('ep_busy'))).toBeLessThan(100);
    });
  });

  it('queues with due deliveries are found, renewed and counted without reading the entries of earlier leases', async () => {
    const { db } = database;
    await db.query({
      text: `insert into endpoint_queues (organization_id, endpoint_id, health) select 'o', 'ep_' || n, 'healthy' from generate_series(1, 100) n`,
    });
    await withSnapshot(async () => {
      // As many deliveries of the same hour, each of which made its queue due, leased it and released it.
      await db.query({
        text: `do $$ declare at tid; now_era integer := extract(epoch from clock_timestamp()) / 2; begin
          for n in 1..10000 loop
            select ctid into at from endpoint_queues where endpoint_id = 'ep_' || 1 + n % 100 order by era desc limit 1;
            update endpoint_queues set due_at = now() - interval '1 hour' + n * interval '300 milliseconds', era = now_era + n / 200
              where ctid = at returning ctid into at;
            update endpoint_queues set leased_by = 'me', lease_until = now() where ctid = at returning ctid into at;
            update endpoint_queues set leased_by = null, lease_until = null, due_at = null where ctid = at;
          end loop; end $$`,
      });
      await db.query({
        text: `update endpoint_queues set due_at = now(), leased_by = 'me', lease_until = 'infinity' where endpoint_id = 'ep_1'`,
      });
      const floors = new DueQueueFloors(db, systemClock);
      const lease = (): Promise<number> =>
        buffersAgain(db, (on) => leaseEndpoints(on, 'me', 60, limits, floors.near()));
      const count = (): Promise<number> => buffersAgain(db, (on) => readDepths(on, floors.value));
      expect(Math.min(await lease(), await count())).toBeGreaterThan(300);
      await floors.raise();
      expect(await lease()).toBeLessThan(50);
      expect(await count()).toBeLessThan(50);
      // ep_1 has 300 versions.
      expect(await buffersAgain(db, (on) => renewLeases(on, 'me', 60, ['ep_1']))).toBeLessThan(60);
    });
  });

  const waiting = 'leased_by = null, lease_until = null, due_at = null';
  const due = 'leased_by = null, lease_until = null, due_at = now()';
  const leased = `leased_by = 'me', lease_until = 'infinity', due_at = now()`;

  it.each<[string, string, (db: Database) => Promise<unknown>]>([
    ['made due', waiting, (db) => wakeQueues(db, ['ep_slow'])],
    ['made due by a change of its endpoint', waiting, (db) => wakeQueue(db, 'o', 'ep_slow')],
    ['restarted', waiting, (db) => restartQueue(db, 'o', 'ep_slow')],
    ['leased', due, (db) => leaseEndpoints(db, 'me', 60, limits, new DueQueueFloors(db, systemClock).near())],
    ['renewed', leased, (db) => renewLeases(db, 'me', 60, ['ep_slow'])],
    [
      'given its health',
      leased,
      (db) => writeHealth(db, 'me', [{ endpointId: 'ep_slow', health: 'healthy', failures: 0 }], 5),
    ],
    ['released', leased, (db) => releaseEndpoints(db, 'me', new Map([['ep_slow', new Date().toISOString()]]))],
  ])('a queue is %s without reading its versions of earlier seconds', async (_name, before, change) => {
    const { db } = database;
    await db.query({
      text: `insert into endpoint_queues (organization_id, endpoint_id, health) values ('o', 'ep_slow', 'healthy')`,
    });
    await withSnapshot(async () => {
      await db.query({
        text: `do $$ declare at tid; now_era integer := extract(epoch from clock_timestamp()) / 2; begin
          select ctid into at from endpoint_queues;
          for n in 1..20000 loop
            update endpoint_queues set due_at = now() + n * interval '1 second', era = now_era + n / 10
              where ctid = at returning ctid into at;
          end loop; end $$`,
      });
      await db.query({ text: `update endpoint_queues set ${before}` });
      // The statements are planned with the statistics of the aged table.
      await db.query({ text: 'analyze endpoint_queues' });
      const version = async (): Promise<unknown> => (await db.query({ text: 'select ctid from endpoint_queues' })).rows;
      const beforeChange = await version();
      expect(await buffersOfAll(db, change)).toBeLessThan(100);
      expect(await version()).not.toEqual(beforeChange);
    });
  });
});

describe('the floors of queues with due deliveries', () => {
  let database: TestDatabase;
  let now = 0;

  beforeEach(async () => {
    database = await testDatabase({ schemaFile, schema: 'webhooks' });
    now = 0;
  });
  afterEach(() => database.drop());

  it.each<[string, string]>([
    ['was committed a minute after it became due', `due_at = now() - interval '1 minute'`],
    ['lost its lease', `due_at = now() - interval '2 minutes', leased_by = 'dead', lease_until = now()`],
    [
      'was leased for three hours, became failing meanwhile, and lost its lease',
      `due_at = now() - interval '3 hours', health = 'failing', leased_by = 'dead', lease_until = now()`,
    ],
  ])('a queue that %s is leased two seconds later', async (_name, change) => {
    const { db } = database;
    const floors = new DueQueueFloors(db, { ...systemClock, monotonicMs: () => now });
    const lease = async (): Promise<string[]> => {
      await floors.raise();
      const leased = await leaseEndpoints(db, 'me', 60, limits, floors.near());
      return leased.map(({ endpoint_id }) => endpoint_id);
    };
    // Only a queue that is leased can be due for longer than three minutes without being found.
    await db.query({
      text: `insert into endpoint_queues (organization_id, endpoint_id, health, due_at, leased_by, lease_until)
        values ('o', 'ep_late', 'healthy', now() - interval '3 hours', 'dead', 'infinity')`,
    });
    expect(await lease()).toEqual([]);
    if (!change.includes('hours')) {
      await db.query({ text: `update endpoint_queues set due_at = null, leased_by = null, lease_until = null` });
      now += 2_000;
      expect(await lease()).toEqual([]);
    }
    await db.query({ text: `update endpoint_queues set ${change}` });
    now += 1_999;
    expect(await lease()).toEqual([]);
    now += 1;
    expect(await lease()).toEqual(['ep_late']);
  });

  it('a queue that stays leased for hours does not hold the floor', async () => {
    const { db } = database;
    await db.query({
      text: `insert into endpoint_queues (organization_id, endpoint_id, health, due_at, leased_by, lease_until)
        values ('o', 'ep_busy', 'healthy', now() - interval '3 hours', 'me', 'infinity'),
          ('o', 'ep_recent', 'healthy', now() - interval '1 minute', 'me', 'infinity')`,
    });
    const floors = new DueQueueFloors(db, systemClock);
    await floors.raise();
    expect(Date.now() - Date.parse(floors.value)).toBeGreaterThan(3 * 3_600_000 - 60_000);
    expect(await renewLeases(db, 'me', 60, ['ep_busy', 'ep_recent'])).toHaveLength(2);
    const { rows } = await db.query<{ endpoint_id: string }>({
      text: `select endpoint_id from endpoint_queues where due_at > now() - interval '30 seconds'`,
    });
    expect(rows).toEqual([{ endpoint_id: 'ep_busy' }]);
    const later = new DueQueueFloors(db, systemClock);
    await later.raise();
    expect(Date.now() - Date.parse(later.value)).toBeLessThan(200_000);
  });
});
