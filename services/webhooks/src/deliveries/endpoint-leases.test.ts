import { systemClock, type Database, type Statement } from '@parley/runtime';
import fc from 'fast-check';
import { EndpointLeases } from './endpoint-leases';
import type { HealthState } from './endpoint-health.rules';
import type { LeasedEndpoint } from './endpoint-leases.cross-tenant.sql';
import { sharesOf } from './slots.rules';

interface Queue {
  readonly health: HealthState;
  readonly organization: number;
  readonly inFlight: number;
  readonly drained: boolean;
  readonly window: number;
}

const queuesOf = (...healthStates: HealthState[]) =>
  fc.array(
    fc.record<Queue>({
      health: fc.constantFrom(...healthStates),
      organization: fc.nat(3),
      inFlight: fc.nat(64),
      drained: fc.boolean(),
      window: fc.integer({ min: 1, max: 64 }),
    }),
    { maxLength: 20 },
  );

/** Returns these queues whenever some are leased or renewed, and nothing else. */
const queryOf =
  (rows: readonly unknown[], asked: Statement[] = []) =>
  <R>(statement: Statement): Promise<{ rows: R[]; rowCount: number }> => {
    asked.push(statement);
    return Promise.resolve({ rows: rows as R[], rowCount: rows.length });
  };

/** An `EndpointLeases` that has leased these queues, with the given state. */
async function bookOf(queues: ReadonlyMap<string, Queue>, slots: number): Promise<EndpointLeases> {
  const rows = [...queues].map(([id, { health, organization }]): LeasedEndpoint => ({
    endpoint_id: id,
    organization_id: `org_${organization}`,
    health,
    failures: 0,
    max_per_second: null,
  }));
  const db: Pick<Database, 'query'> = { query: queryOf(rows) };
  const options = { clock: systemClock, replica: 'r', leaseSeconds: 60, shares: sharesOf(slots) };
  const book = new EndpointLeases({ ...options, db: db as Database });
  await book.lease();
  for (const [id, { inFlight, drained, window }] of queues) {
    const queue = book.get(id);
    if (queue === undefined) throw new Error(`${id} was not leased`);
    Object.assign(queue, { inFlight, drained, state: { ...queue.state, window } });
  }
  return book;
}

const roomOf = (book: EndpointLeases): Record<string, number> =>
  Object.fromEntries([...book.room()].map(([{ endpointId }, free]) => [endpointId, free]));

const named = (prefix: string, queues: readonly Queue[]): [string, Queue][] =>
  queues.map((queue, place) => [`${prefix}_${place}`, queue]);

describe('EndpointLeases: slots of a replica', () => {
  it('a healthy queue has the same slots whatever unproven and failing queues use', async () => {
    await fc.assert(
      fc.asyncProperty(
        queuesOf('healthy'),
        queuesOf('unproven', 'failing'),
        fc.integer({ min: 16, max: 512 }),
        async (healthy, others, slots) => {
          const alone = roomOf(await bookOf(new Map(named('h', healthy)), slots));
          const all = roomOf(await bookOf(new Map([...named('x', others), ...named('h', healthy)]), slots));
          const ofHealthy = Object.fromEntries(Object.entries(all).filter(([id]) => id.startsWith('h_')));
          expect(ofHealthy).toEqual(alone);
        },
      ),
    );
  });

  it('unproven queues together, and failing queues together, use at most one eighth of the slots, including deliveries in progress', async () => {
    await fc.assert(
      fc.asyncProperty(queuesOf('unproven', 'failing'), fc.integer({ min: 16, max: 512 }), async (others, slots) => {
        const queues = new Map(named('x', others));
        const room = roomOf(await bookOf(queues, slots));
        for (const health of ['unproven', 'failing']) {
          const group = [...queues].filter(([, queue]) => queue.health === health);
          const begun = group.reduce((sum, [id]) => sum + (room[id] ?? 0), 0);
          const held = group.reduce((sum, [, { inFlight }]) => sum + inFlight, 0);
          expect(begun).toBeLessThanOrEqual(Math.max(Math.floor(slots / 8) - held, 0));
        }
      }),
    );
  });
});

describe('EndpointLeases: how long a drained queue stays leased', () => {
  let now = 0;

  /** An `EndpointLeases` of a replica that gets these endpoints whenever it leases queues. */
  function leasesOf(health: HealthState, endpointIds: readonly string[], slots = 64) {
    const row = { organization_id: 'org_1', health, failures: 0, max_per_second: null };
    const rows = endpointIds.map((endpoint_id) => ({ ...row, endpoint_id }));
    const fake: Pick<Database, 'query' | 'transaction'> = {
      query: queryOf(rows),
      transaction: (work) => work({ query: () => Promise.resolve({ rows: [], rowCount: 0 }) }),
    };
    const db = fake as Database;
    const clock = { ...systemClock, monotonicMs: () => now };
    const options = { clock, replica: 'r', leaseSeconds: 60, shares: sharesOf(slots), db };
    const book = new EndpointLeases(options);
    const drain = (): void => {
      for (const id of endpointIds) Object.assign(book.get(id) ?? {}, { drained: true, activeMs: now });
    };
    const held = (): number => endpointIds.filter((id) => book.get(id) !== undefined).length;
    return { book, drain, held };
  }

  beforeEach(() => (now = 1_000_000));

  it.each([
    [53_999, 1],
    [54_000, 0],
  ])('of a lease of 60 s, after %i ms %i queue may begin attempts', async (passedMs, open) => {
    const { book } = leasesOf('healthy', ['ep_1']);
    await book.lease();
    now += passedMs;
    expect(book.room().size).toBe(open);
  });

  it.each<[string, HealthState, number, number, number]>([
    [
      'a queue that was leased again after 1999 ms stays leased for 2 s after its last attempt began',
      'healthy',
      1,
      1_999,
      1,
    ],
    ['a queue that was leased again after 2 s is released at once', 'healthy', 1, 2_000, 0],
    ['a failing queue is released at once', 'failing', 1, 10, 0],
    ['queues that use half of the slots stay leased', 'healthy', 24, 10, 24],
    ['queues that use more than half of the slots are released, because others may wait', 'healthy', 25, 10, 0],
  ])('%s', async (_name, health, count, pauseMs, lingering) => {
    const { book, drain, held } = leasesOf(
      health,
      Array.from({ length: count }, (_, n) => `ep_${n}`),
    );
    await book.lease();
    drain();
    await book.releaseIdle();
    expect(held()).toBe(0);
    now += pauseMs;
    await book.lease();
    now += 500;
    drain();
    now += 1_999;
    await book.releaseIdle();
    expect(held()).toBe(lingering);
    now += 1;
    await book.releaseIdle();
    expect(held()).toBe(0);
  });
});

describe('EndpointLeases: renewal', () => {
  const row = { organization_id: 'org_1', health: 'healthy', failures: 0, max_per_second: null };
  let now: number;
  let asked: Statement[];
  let rows: { endpoint_id: string }[];
  let failing = false;

  /** An `EndpointLeases` that has leased `ep_1` at 0. */
  async function leasesOf(leaseSeconds: number): Promise<EndpointLeases> {
    now = 0;
    asked = [];
    rows = [{ ...row, endpoint_id: 'ep_1' }];
    const db: Pick<Database, 'query'> = {
      query: (statement) => (failing ? Promise.reject(new Error('no connection')) : queryOf(rows, asked)(statement)),
    };
    const clock = { ...systemClock, monotonicMs: () => now };
    const options = { clock, replica: 'r', leaseSeconds, shares: sharesOf(64), db: db as Database };
    const book = new EndpointLeases(options);
    await book.lease();
    return book;
  }
  /** The queues that were renewed since the last call. */
  const renewed = (): unknown[] => {
    const renewals = asked.filter(({ name }) => name === 'endpoint-queues-renew');
    asked.length = 0;
    return renewals.map(({ values }) => values?.[2]);
  };

  it.each([
    [1, 250],
    [2, 1_000],
    [5, 2_500],
  ])('a lease of %i s is renewed after %i ms', async (leaseSeconds, afterMs) => {
    const book = await leasesOf(leaseSeconds);
    for (const turn of [0, 1]) {
      now = turn * afterMs + afterMs - 1;
      await book.renewWhenDue();
      expect(renewed()).toEqual([]);
      now += 1;
      await book.renewWhenDue();
      expect(renewed()).toEqual([['ep_1']]);
    }
  });

  it('leases that would need it soon are renewed together with the first one, younger ones are not', async () => {
    const book = await leasesOf(5);
    for (const [id, leasedAtMs] of [
      ['ep_2', 1_250],
      ['ep_3', 1_251],
    ] as const) {
      now = leasedAtMs;
      rows = [{ ...row, endpoint_id: id }];
      await book.lease();
    }
    now = 2_500;
    rows = ['ep_1', 'ep_2'].map((id) => ({ endpoint_id: id }));
    await book.renewWhenDue();
    expect(renewed()).toEqual([['ep_1', 'ep_2']]);
  });

  it('after an error the lease is renewed at the next pass; a lost lease is not used and not renewed', async () => {
    const book = await leasesOf(5);
    now = 2_500;
    failing = true;
    await expect(book.renewWhenDue()).rejects.toThrow();
    failing = false;
    now = 2_900;
    asked.length = 0;
    await book.renewWhenDue();
    expect(renewed()).toEqual([['ep_1']]);
    expect(book.room().size).toBe(1);
    now = 5_400;
    rows = [];
    await book.renewWhenDue();
    expect(book.room().size).toBe(0);
    expect(renewed()).toEqual([['ep_1']]);
    now = 9_000;
    await book.renewWhenDue();
    expect(renewed()).toEqual([]);
  });
});
