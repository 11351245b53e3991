import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '@parley/testing';
import { Registry } from 'prom-client';
import type { OutboxEvent, StreamName } from '../src';
import { commitEach, eventOf, outboxBench, Received, waiting, type OutboxBench } from './outbox-bench';

describe('a durable consumer after its stream lost messages', () => {
  let bench: OutboxBench;
  let received: Received;

  beforeEach(async () => {
    bench = await outboxBench();
    received = new Received();
  });
  afterEach(() => bench.close());

  let calls = 0;
  /** Four events for each of `count` new calls. */
  const eventsOf = (count: number, stream: StreamName): OutboxEvent[] =>
    Array.from({ length: count }, () => (calls += 1)).flatMap((call) =>
      [1, 2, 3, 4].map((seq) => {
        const event = eventOf(`call_${call}`, seq);
        return stream === 'EVENTS' ? event : { ...event, stream, subject: 'audit.v1.org_1' };
      }),
    );
  const subjectsOf = { EVENTS: ['events.v1.>'], AUDIT: ['audit.v1.>'] };
  const drained = () => eventually(async () => ((await waiting(bench.db)) === 0 ? true : undefined));
  const acknowledged = (stream: StreamName) =>
    eventually(async () => {
      const info = await bench.manager.consumers.info(stream, 'test');
      return info.num_pending === 0 && info.num_ack_pending === 0 ? true : undefined;
    });
  const countOf = async (metrics: Registry, name: string): Promise<number> =>
    ((await metrics.getSingleMetric(name)?.get())?.values ?? []).reduce((sum, { value }) => sum + value, 0);

  it.each(['EVENTS', 'AUDIT'] as const)(
    'receives every event after the last messages of %s were lost and their sequence numbers assigned again',
    async (stream) => {
      const metrics = new Registry();
      const options = { stream, subjects: subjectsOf[stream], handle: received.take, metrics, verifyMs: 60_000 };
      // Batches smaller than the number of new events, so that new events get the sequence numbers of the lost ones.
      const relay = bench.relay({ pollMs: 20, reconcileMs: 60_000, batch: 10 });
      bench.consumer(options);
      const kept = eventsOf(10, stream);
      await commitEach(bench.db, kept);
      await eventually(() => received.holds(kept));
      await acknowledged(stream);
      const messages = path.join(bench.server.store, 'jetstream', '$G', 'streams', stream, 'msgs');
      const older = `${bench.server.store}-older`;
      await bench.server.kill();
      cpSync(messages, older, { recursive: true });
      await bench.server.start();
      const tail = eventsOf(10, stream);
      await commitEach(bench.db, tail);
      relay.wake();
      await eventually(() => received.holds(tail));
      await acknowledged(stream);
      await drained();
      await bench.server.kill();
      rmSync(messages, { recursive: true });
      cpSync(older, messages, { recursive: true });
      const meanwhile = eventsOf(10, stream);
      await commitEach(bench.db, meanwhile);
      await bench.server.start();
      await eventually(() => received.holds([...kept, ...tail, ...meanwhile]));
      await acknowledged(stream);
      expect(received.payloads.size).toBe(120);
      expect(await countOf(metrics, 'parley_consumer_restarts_total')).toBeGreaterThan(0);
      // Later events are received as usual.
      const later = eventsOf(2, stream);
      await commitEach(bench.db, later);
      await eventually(() => received.holds(later));
    },
  );

  it('resumes at the newest position that the stream still has, not at its first event', async () => {
    const relay = bench.relay({ pollMs: 20, batch: 5 });
    bench.consumer({ handle: received.take, verifyMs: 50 });
    const kept = eventsOf(10, 'EVENTS');
    await commitEach(bench.db, kept);
    await eventually(() => received.holds(kept));
    await acknowledged('EVENTS');
    await eventually(async () => {
      const { rows } = await bench.db.query({ text: 'select from stream_marks where stream_seq = 40' });
      return rows.length === 1 ? true : undefined;
    });
    const messages = path.join(bench.server.store, 'jetstream', '$G', 'streams', 'EVENTS', 'msgs');
    await bench.server.kill();
    cpSync(messages, `${messages}-older`, { recursive: true });
    await bench.server.start();
    const tail = eventsOf(5, 'EVENTS');
    await commitEach(bench.db, tail);
    relay.wake();
    await eventually(() => received.holds(tail));
    await acknowledged('EVENTS');
    await bench.server.kill();
    rmSync(messages, { recursive: true });
    cpSync(`${messages}-older`, messages, { recursive: true });
    rmSync(`${messages}-older`, { recursive: true });
    const meanwhile = eventsOf(5, 'EVENTS');
    await commitEach(bench.db, meanwhile);
    await bench.server.start();
    await eventually(() => received.holds([...tail, ...meanwhile]));
    await acknowledged('EVENTS');
    const { config } = await bench.manager.consumers.info('EVENTS', 'test');
    expect(config.opt_start_seq).toBe(41);
  });

  it('receives every event of a stream that was recreated', async () => {
    bench.relay({ pollMs: 20, reconcileMs: 200 });
    bench.consumer({ handle: received.take, verifyMs: 200 });
    const before = eventsOf(3, 'EVENTS');
    await commitEach(bench.db, before);
    await eventually(() => received.holds(before));
    await bench.manager.streams.delete('EVENTS');
    const after = eventsOf(3, 'EVENTS');
    await commitEach(bench.db, after);
    await eventually(() => received.holds(after));
  });

  it('receives acknowledged events again that its service lacks, but no dead letters', async () => {
    const metrics = new Registry();
    const events = eventsOf(5, 'EVENTS');
    const [skipped, aside] = [events[7]?.id ?? '', events[9]?.id ?? ''];
    const have = new Set(events.map(({ id }) => id).filter((id) => id !== skipped && id !== aside));
    bench.relay({ pollMs: 20 });
    await bench.db.query({
      text: `insert into dead_letters (durable, event_id, subject, payload, error, deliveries, stream_seq) values ('test', $1, 's', '', 'e', 1, 1)`,
      values: [aside],
    });
    const times = (id: string): number => received.deliveries.filter((event) => event.id === id).length;
    bench.consumer({
      metrics,
      verifyMs: 100,
      known: (ids) => Promise.resolve(ids.filter((id) => have.has(id))),
      handle: async (event) => {
        await received.take(event);
        if (times(skipped) === 2) have.add(skipped);
      },
    });
    await commitEach(bench.db, events);
    await eventually(() => (times(skipped) >= 2 ? true : undefined));
    await acknowledged('EVENTS');
    expect(await countOf(metrics, 'parley_consumer_missing_events_total')).toBe(1);
  });
});
