import { eventually } from '@parley/testing';
import { append } from '../src';
import { eventOf, outboxBench, Received, type OutboxBench } from './outbox-bench';

/** The number of events in the lost store. For a manual run with a million: OUTBOX_LOST_EVENTS=1000000. */
const lostEvents = Number(process.env['OUTBOX_LOST_EVENTS'] ?? 30_000);

const say = (text: string): boolean => process.stderr.write(`${text}\n`);

describe('after the loss of the NATS store', () => {
  let bench: OutboxBench;

  beforeEach(async () => {
    bench = await outboxBench();
  });
  afterEach(() => bench.close());

  it('a new event is received within 5 s, before the republished backlog, which also arrives completely', async () => {
    await bench.db.query({
      text: `insert into outbox (id, stream, subject, payload, ordering_key, ordering_seq, created_at, published_at, stream_created, stream_seq)
        select 'evt_old' || n, 'EVENTS', 'events.v1.org_1.call.created', json_build_object('id', 'evt_old' || n)::text, 'call_' || n, 1,
          now() - interval '1 hour', now() - interval '1 hour', '2026-01-01T00:00:00Z', n
        from generate_series(1, $1::integer) n`,
      values: [lostEvents],
    });
    const seen = new Set<string>();
    const received = new Received();
    bench.consumer({
      // The consumer is slower than the relay.
      handle: async (event) => {
        seen.add(event.id);
        if (!event.id.startsWith('evt_old')) await received.take(event);
      },
      handleMany: async (events) => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        for (const event of events) {
          seen.add(event.id);
          if (!event.id.startsWith('evt_old')) await received.take(event);
        }
      },
    });
    const relay = bench.relay({ pollMs: 100 });
    await eventually(() => (seen.size > 1_000 ? true : undefined));
    const latencies: number[] = [];
    for (let nth = 0; nth < 5; nth += 1) {
      const event = eventOf(`call_${nth}`, nth);
      const placed = performance.now();
      await bench.db.transaction((tx) => append(tx, [event]));
      relay.wake();
      await eventually(() => received.holds([event]));
      latencies.push(performance.now() - placed);
    }
    if (process.env['OUTBOX_LOST_EVENTS'] !== undefined) {
      say(`${seen.size} of ${lostEvents} published again; new events after ${latencies.map(Math.round).join(', ')} ms`);
    } else {
      expect(seen.size).toBeLessThan(lostEvents);
    }
    expect(Math.max(...latencies)).toBeLessThan(5_000);
    const begun = performance.now();
    await eventually(() => (seen.size === lostEvents + 5 ? true : undefined), { timeoutMs: 1_800_000 });
    if (process.env['OUTBOX_LOST_EVENTS'] !== undefined) {
      say(`the rest after ${Math.round((performance.now() - begun) / 1000)} s`);
    }
  }, 1_800_000);
});
