import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { SparingPool } from './sparing-pool';

/** A connection without a server, because only the pool is tested. */
class OpenClient extends EventEmitter {
  readonly _queryable = true;
  connect(done: (error?: Error) => void): void {
    done();
  }
  end(done: () => void): void {
    done();
  }
}

const fail = (error: Error): never => {
  throw error;
};

describe('SparingPool', () => {
  let pool: SparingPool;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
    pool = new SparingPool({ max: 5, Client: OpenClient as never });
  });
  afterEach(() => jest.useRealTimers());

  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
  /** Requests connections without waiting for them. @returns those that were obtained so far */
  const request = (count: number): pg.PoolClient[] => {
    const obtained: pg.PoolClient[] = [];
    for (let n = 0; n < count; n += 1) pool.connect().then((client) => obtained.push(client), fail);
    return obtained;
  };

  it('opens two connections immediately, and none for a third request that gets a released one within 20 ms', async () => {
    const [first] = await Promise.all([pool.connect(), pool.connect()]);
    const third = request(1);
    await pass(19);
    expect([pool.totalCount, third.length]).toEqual([2, 0]);
    first?.release();
    await pass(0);
    expect([pool.totalCount, third]).toEqual([2, [first]]);
  });

  it('opens another one for a request that has waited 20 ms, up to the maximum', async () => {
    const obtained = request(2);
    await pass(0);
    const more = request(5);
    await pass(20);
    expect([pool.totalCount, obtained.length, more.length]).toEqual([5, 2, 3]);
    obtained[0]?.release();
    await pass(0);
    expect([pool.totalCount, more.length]).toEqual([5, 4]);
  });

  it.each([
    ['as long as opening one took', 60, 60],
    ['at most 100 ms', 5_000, 100],
  ])('opens another connection after waiting %s', async (_, openingMs, waitMs) => {
    const slow = new SparingPool({
      max: 5,
      Client: class extends OpenClient {
        override connect(done: (error?: Error) => void): void {
          setTimeout(done, openingMs);
        }
      } as never,
    });
    for (let n = 0; n < 2; n += 1) slow.connect().catch(fail);
    await pass(openingMs);
    slow.connect().catch(fail);
    await pass(waitMs - 1);
    expect(slow.totalCount).toBe(2);
    await pass(1);
    expect(slow.totalCount).toBe(3);
  });

  it('opens another connection immediately for the ninth waiting request', async () => {
    request(2);
    await pass(0);
    const more = request(9);
    await pass(1);
    expect([pool.totalCount, more.length]).toEqual([3, 1]);
  });

  it('gives a released connection to one of the waiting requests; the others continue to wait', async () => {
    const [first] = await Promise.all([pool.connect(), pool.connect()]);
    const more = request(3);
    await pass(5);
    first?.release();
    await pass(5);
    expect([pool.totalCount, more.length]).toEqual([2, 1]);
    await pass(10);
    expect([pool.totalCount, more.length]).toEqual([4, 3]);
  });

  it('opens no connection for requests of the same moment of which only one gets the idle connection', async () => {
    const obtained = request(2);
    await pass(0);
    obtained[0]?.release();
    await pass(0);
    const more = request(4);
    await pass(19);
    expect([pool.totalCount, more]).toEqual([2, [obtained[0]]]);
  });

  it('opens two connections, not more, for requests of the same moment at its start', async () => {
    const obtained = request(6);
    await pass(19);
    expect([pool.totalCount, obtained.length]).toEqual([2, 2]);
  });

  it('passes on connection errors, also from query()', async () => {
    const refusing = new SparingPool({
      max: 5,
      Client: class extends OpenClient {
        override connect(done: (error?: Error) => void): void {
          done(new Error('refused'));
        }
      } as never,
    });
    await expect(refusing.connect()).rejects.toThrow('refused');
    await expect(refusing.query('select 1')).rejects.toThrow('refused');
  });

  describe('background requests', () => {
    const requestInBackground = (count: number): pg.PoolClient[] => {
      const obtained: pg.PoolClient[] = [];
      for (let n = 0; n < count; n += 1) pool.background.connect().then((client) => obtained.push(client), fail);
      return obtained;
    };

    it('open another connection only after 250 ms, and 20 ms more for a release', async () => {
      requestInBackground(2);
      await pass(0);
      const third = requestInBackground(1);
      await pass(269);
      expect([pool.totalCount, third.length]).toEqual([2, 0]);
      await pass(1);
      expect([pool.totalCount, third.length]).toEqual([3, 1]);
    });

    it('of the same moment open no connection if one of them gets an idle one', async () => {
      const used = requestInBackground(2);
      await pass(0);
      used[0]?.release();
      await pass(0);
      const more = requestInBackground(4);
      await pass(249);
      expect([pool.totalCount, more.length]).toEqual([2, 1]);
    });

    it('do not use an idle third connection while two are in use', async () => {
      const three = request(3);
      await pass(20);
      three.forEach((client) => client.release());
      await pass(0);
      requestInBackground(2);
      await pass(0);
      const third = requestInBackground(1);
      await pass(249);
      expect([pool.totalCount, pool.idleCount, third.length]).toEqual([3, 1, 0]);
      await pass(1);
      expect([pool.idleCount, third.length]).toEqual([0, 1]);
    });

    it('wait no longer than others if only foreground requests use the two connections', async () => {
      request(2);
      await pass(0);
      const third = requestInBackground(1);
      await pass(20);
      expect([pool.totalCount, third.length]).toEqual([3, 1]);
    });

    it('get a released connection after foreground requests', async () => {
      const used = requestInBackground(2);
      await pass(0);
      const later = requestInBackground(1);
      const asked = request(1);
      used[0]?.release();
      await pass(0);
      expect([asked.length, later.length]).toEqual([1, 0]);
      used[1]?.release();
      await pass(0);
      expect([pool.totalCount, later.length]).toEqual([2, 1]);
    });

    it('can run statements', async () => {
      class Answering extends OpenClient {
        query(_: string, __: unknown, done: (error: undefined, result: object) => void): void {
          done(undefined, { rows: [{ one: 1 }] });
        }
      }
      const answering = new SparingPool({ max: 5, Client: Answering as never });
      expect(await answering.background.query('select 1 as one')).toEqual({ rows: [{ one: 1 }] });
      await pass(0);
      expect(answering.idleCount).toBe(1);
    });
  });
});
