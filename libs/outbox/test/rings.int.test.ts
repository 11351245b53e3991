import { Registry } from 'prom-client';
import { eventually } from '@parley/testing';
import pg from 'pg';
import { append, outboxRing, partitionKeeper, type PartitionKeeperOptions } from '../src';
import { commitEach, eventOf, log, outboxBench, Received, waiting, type OutboxBench } from './outbox-bench';

const dayMs = 86_400_000;

describe('partitions of the outbox', () => {
  let bench: OutboxBench;
  let owner: pg.Client;
  let stops: (() => Promise<void>)[];

  beforeEach(async () => {
    bench = await outboxBench();
    owner = new pg.Client({ connectionString: bench.adminUrl });
    await owner.connect();
    await owner.query('set search_path = outbox_test');
    stops = [];
  });
  afterEach(async () => {
    for (const stop of stops) await stop();
    await owner.end();
    await bench.close();
  });

  const keeper = async (options: Partial<PartitionKeeperOptions> = {}): Promise<{ stop: () => Promise<void> }> => {
    const made = partitionKeeper({ db: bench.db, log, rings: [outboxRing], everyMs: 20, ...options });
    await made.start();
    stops.push(() => made.stop());
    return made;
  };

  /** The days, relative to today, for which daily partitions exist. */
  const days = async (): Promise<number[]> => {
    const { rows } = await owner.query<{ day: number }>(
      `select ((starts at time zone 'UTC')::date - (now() at time zone 'UTC')::date) as day
       from ring_parts('outbox') where starts is not null order by 1`,
    );
    return rows.map(({ day }) => day);
  };
  const count = async (table: string, condition = 'true'): Promise<number> => {
    const { rows } = await owner.query<{ rows: number }>(
      `select count(*)::integer as rows from ${table} where ${condition}`,
    );
    return rows[0]?.rows ?? 0;
  };
  const becomes = <T>(read: () => Promise<T>, wanted: T) =>
    eventually(async () => (JSON.stringify(await read()) === JSON.stringify(wanted) ? true : undefined));
  /** Inserts published events of a day, like those of an older process. */
  const fill = (day: number, events: number) =>
    owner.query(
      `insert into outbox (id, stream, subject, payload, ordering_key, ordering_seq, created_at, published_at, stream_created, stream_seq)
       select 'evt_' || $1 || '_' || n, 'EVENTS', 'events.v1.org_1.call.created', repeat('x', 500), 'call_' || n, 1, at, at, 'before', n
       from generate_series(1, $2::integer) n, (select now() + make_interval(days => $1::integer) as at) day`,
      [day, events],
    );
  const extend = (day: number) =>
    owner.query(
      `select ring_extend('outbox', '', from_, from_ + interval '1 day', 10000, 100)
       from (select (date_trunc('day', now() at time zone 'UTC') + make_interval(days => $1::integer)) at time zone 'UTC' as from_) day`,
      [day],
    );

  it('exist for today and the next three days, with any number of replicas', async () => {
    await Promise.all([keeper(), keeper(), keeper()]);
    await becomes(days, [0, 1, 2, 3]);
    await commitEach(bench.db, [eventOf('call_1', 1)]);
    expect(await count('outbox_stray')).toBe(0);
  });

  it('older than the retention are dropped, unless one contains an unpublished event', async () => {
    for (const day of [-20, -10, -9, -8, -7, 0]) await extend(day);
    for (const day of [-20, -10, -9, -8, -7]) await fill(day, 10);
    await owner.query(`update outbox set published_at = null where id = 'evt_-10_3'`);
    await keeper();
    await becomes(days, [-10, -8, -7, 0, 1, 2, 3]);
    await owner.query(`update outbox set published_at = now() where id = 'evt_-10_3'`);
    await becomes(days, [-8, -7, 0, 1, 2, 3]);
    expect(await count('outbox')).toBe(20);
  });

  it('after weeks without maintenance: moves today’s rows out of the default partition, deletes old ones, keeps the rest', async () => {
    await fill(-30, 12_000);
    await fill(-5, 10);
    await fill(0, 10);
    await commitEach(bench.db, [eventOf('call_1', 1)]);
    await owner.query(`update outbox set created_at = now() - interval '20 days' where published_at is null`);
    await keeper();
    await becomes(() => count('outbox_stray'), 11);
    await becomes(days, [0, 1, 2, 3]);
    expect(await count('outbox_stray', 'published_at is null')).toBe(1);
    expect(await count('outbox')).toBe(21);
  });

  it('if today’s rows are too many to move, creates the partitions of the next days', async () => {
    await fill(0, 10_001);
    await keeper();
    await becomes(days, [1, 2, 3]);
    expect(await count('outbox_stray')).toBe(10_001);
    // When the day is older than the retention, the default partition is emptied.
    await owner.query(`update outbox_stray set created_at = created_at - interval '9 days'`);
    await becomes(() => count('outbox_stray'), 0);
  });

  it.each([
    ['ahead of', 30],
    ['behind', -30],
  ])('drops nothing while the process clock is %s the database clock by a month', async (_title, offset) => {
    await extend(-20);
    await fill(-20, 10);
    await keeper({ now: () => Date.now() + offset * dayMs });
    await becomes(days, [-20, 0, 1, 2, 3]);
    expect(await count('outbox')).toBe(10);
    await keeper();
    await becomes(days, [0, 1, 2, 3]);
  });

  it('leave no gap after a change of the length of a period', async () => {
    await extend(0);
    await keeper({ periodSeconds: 7_200 });
    await eventually(async () => {
      const { rows } = await owner.query<{ whole: boolean }>(
        `select count(*) = 0 as whole from generate_series(now(), now() + interval '6 hours', interval '10 minutes') at
         where not exists (select from ring_parts('outbox') where starts <= at and ends > at)`,
      );
      return rows[0]?.whole === true ? true : undefined;
    });
  });

  it('publishing continues while a reader blocks the drop of an old partition, a metric reports it, and it is dropped later', async () => {
    for (const day of [-10, 0]) await extend(day);
    await fill(-10, 20_000);
    const metrics = new Registry();
    const overdue = async (): Promise<number> => {
      const [found] = (await metrics.getSingleMetric('parley_partitions_overdue')?.get())?.values ?? [];
      return found?.value ?? -1;
    };
    await owner.query('begin');
    await owner.query('select from outbox limit 1');
    const received = new Received();
    bench.consumer({ handle: received.take });
    const relay = bench.relay({ pollMs: 60_000 });
    await keeper({ metrics, everyMs: 1 });
    await becomes(overdue, 1);
    const events = Array.from({ length: 300 }, (_, place) => eventOf(`call_${place % 20}`, Math.floor(place / 20)));
    let slowest = 0;
    for (const event of events) {
      const before = performance.now();
      await bench.db.transaction((tx) => append(tx, [event]));
      slowest = Math.max(slowest, performance.now() - before);
      relay.wake();
    }
    await eventually(() => received.holds(events));
    await becomes(() => waiting(bench.db), 0);
    // Maintenance waits at most a tenth of a second for its lock; the rest of the limit is for a slow machine.
    expect(slowest).toBeLessThan(2_000);
    expect(await days()).toContain(-10);
    await owner.query('commit');
    await becomes(overdue, 0);
    await becomes(days, [0, 1, 2, 3]);
  });

  it('an event that is appended while the partition of its time is made waits, and is stored in it', async () => {
    await owner.query('begin');
    await extend(0);
    const committed = commitEach(bench.db, [eventOf('call_1', 1)]);
    await eventually(async () => {
      const { rows } = await bench.db.query({
        text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      });
      return rows.length > 0 ? true : undefined;
    });
    await owner.query('commit');
    await committed;
    expect([await count('outbox'), await count('outbox_stray')]).toEqual([1, 0]);
  });

  it('do not grow over many periods, and publishing continues', async () => {
    const received = new Received();
    bench.consumer({ handle: received.take });
    const relay = bench.relay({ pollMs: 100, reconcileMs: 500 });
    await keeper({ periodSeconds: 1, everyMs: 100, rings: [{ ...outboxRing, kept: 1 }] });
    const events: ReturnType<typeof eventOf>[] = [];
    const seen = new Set<string>();
    let most = 0;
    while (seen.size < 12) {
      const batch = Array.from({ length: 50 }, (_, place) => eventOf(`call_${place}`, events.length));
      await bench.db.transaction((tx) => append(tx, batch));
      relay.wake();
      events.push(...batch);
      most = Math.max(most, await count('outbox'));
      const { rows: parts } = await owner.query<{ part: string }>(`select part from ring_parts('outbox')`);
      for (const { part } of parts) seen.add(part);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await eventually(() => received.holds(events));
    expect(received.payloads.size).toBe(events.length);
    // Published events are dropped eventually, so that the table does not grow.
    await becomes(() => count('outbox'), 0);
    expect(most).toBeLessThan(events.length * 0.8);
    const { rows } = await owner.query<{ parts: number }>(
      `select count(*)::integer as parts from ring_parts('outbox')`,
    );
    expect(rows[0]?.parts).toBeLessThan(12);
  });
});
