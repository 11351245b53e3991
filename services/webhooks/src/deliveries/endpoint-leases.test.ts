import { systemClock, type Database } from '@parley/runtime';
import fc from 'fast-check';
import { QueueFloors } from './queue-floors';
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

/** An `EndpointLeases` that has leased these queues, with the given state. */
async function bookOf(queues: ReadonlyMap<string, Queue>, slots: number): Promise<EndpointLeases> {
  const rows = [...queues].map(([id, { health, organization }]): LeasedEndpoint => ({
    endpoint_id: id,
    organization_id: `org_${organization}`,
    health,
    failures: 0,
    max_per_second: null,
  }));
  const db: Pick<Database, 'query'> = {
    query: <R>() => Promise.resolve({ rows: rows as R[], rowCount: rows.length }),
  };
  const options = { clock: systemClock, replica: 'r', leaseSeconds: 60, shares: sharesOf(slots) };
  const floors = new QueueFloors(db as Database, systemClock);
  const book = new EndpointLeases({ ...options, floors, db: db as Database });
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
