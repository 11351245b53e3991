import type { Database } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { append } from '../src';
import { readWaiting, takePass } from '../src/waiting';
import { commitEach, eventOf, outboxBench, waiting, type OutboxBench } from './outbox-bench';

describe('a pass over the outbox', () => {
  let bench: OutboxBench;

  beforeEach(async () => {
    bench = await outboxBench();
  });
  afterEach(() => bench.close());

  it('is exclusive to one transaction until it commits or rolls back', async () => {
    const { db } = bench;
    const other = () => db.transaction(takePass);
    await db.transaction(async (tx) => {
      expect(await takePass(tx)).toBeDefined();
      expect(await other()).toBeUndefined();
    });
    const failing = db.transaction(async (tx) => {
      expect(await takePass(tx)).toBeDefined();
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await other()).toBeDefined();
  });

  it('is exclusive per schema, so services that share a database do not block each other', async () => {
    const { db } = bench;
    await db.transaction(async (tx) => {
      expect(await takePass(tx)).toBeDefined();
      const elsewhere = await db.transaction(async (own) => {
        await own.query({ text: 'set local search_path = public' });
        return takePass(own);
      });
      expect(elsewhere).toBeDefined();
    });
  });

  it('does not see events that the previous pass published', async () => {
    const { db } = bench;
    const [first, second] = [eventOf('call_1', 1), eventOf('call_1', 2)];
    await commitEach(db, [first, second]);
    await db.transaction(async (tx) => {
      const before = db.transaction(async (earlier) => {
        await takePass(earlier);
        await earlier.query({ text: 'update outbox set published_at = now() where id = $1', values: [first.id] });
      });
      await before;
      expect(await takePass(tx)).toBeDefined();
      expect((await readWaiting(tx, 10)).map(({ id }) => id)).toEqual([second.id]);
    });
  });

  it.each([
    [1, 1],
    [3, 3],
    [4, 4],
    [5, 4],
  ])('reads the oldest waiting events, at most %i: %i of 4', async (limit, found) => {
    const events = [eventOf('call_1', 1), eventOf('call_2', 1), eventOf('call_1', 2), eventOf('call_2', 2)];
    await bench.db.transaction((tx) => append(tx, events));
    const read = await readWaiting(bench.db, limit);
    expect(read.map(({ id }) => id)).toEqual(events.slice(0, found).map(({ id }) => id));
  });

  it('is attempted again by a relay that was woken while another had the lock', async () => {
    let tries = 0;
    const db: Database = {
      pool: bench.db.pool,
      query: (statement) => bench.db.query(statement),
      transaction: (work) => {
        tries += 1;
        return bench.db.transaction(work);
      },
    };
    await bench.db.transaction(async (tx) => {
      expect(await takePass(tx)).toBeDefined();
      // Only another attempt can find the event, because the next poll without a wake-up is hours away.
      const relay = bench.relay({ db, pollMs: 24 * 3_600_000 });
      await commitEach(bench.db, [eventOf('call_1', 1)]);
      relay.wake();
      await eventually(() => (tries >= 2 ? true : undefined));
      expect(await waiting(bench.db)).toBe(1);
    });
    await eventually(async () => ((await waiting(bench.db)) === 0 ? true : undefined));
  });

  it('opens no transaction while nothing is waiting, and publishes committed events without a wake-up', async () => {
    const opened: number[] = [];
    let looks = 0;
    const db: Database = {
      pool: bench.db.pool,
      query: (statement) => {
        if (statement.name === 'outbox-look') looks += 1;
        return bench.db.query(statement);
      },
      transaction: (work) => {
        opened.push(looks);
        return bench.db.transaction(work);
      },
    };
    bench.relay({ db, pollMs: 10 });
    await eventually(() => (looks >= 5 ? true : undefined));
    expect(opened.filter((after) => after > 0)).toEqual([]);
    await commitEach(bench.db, [eventOf('call_1', 1)]);
    await eventually(async () => ((await waiting(bench.db)) === 0 ? true : undefined));
    const since = looks;
    await eventually(() => (looks >= since + 5 ? true : undefined));
    expect(opened.filter((after) => after > since)).toEqual([]);
  });
});
