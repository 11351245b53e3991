import { cpSync, rmSync } from 'node:fs';
import { eventually } from '@parley/testing';
import { append, ensureStream, streams, type OutboxEvent } from '../src';
import { commitEach, eventOf, outboxBench, Received, waiting, type OutboxBench } from './outbox-bench';

describe('relay', () => {
  let bench: OutboxBench;

  beforeEach(async () => {
    bench = await outboxBench();
  });
  afterEach(() => bench.close());

  const drained = () => eventually(async () => ((await waiting(bench.db)) === 0 ? true : undefined));

  /** Every message of the stream, in order; retries while the server restarts. */
  const stored = () => eventually(readStream);

  async function readStream(): Promise<{ id: string; resource: string; seq: number }[]> {
    const { state } = await bench.manager.streams.info('EVENTS');
    const messages = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const message = await bench.manager.streams.getMessage('EVENTS', { seq });
      if (message === null) throw new Error(`nothing at ${seq}`);
      const body = message.json<{ id: string; resource_id: string; resource_seq: number }>();
      messages.push({ id: body.id, resource: body.resource_id, seq: body.resource_seq });
    }
    return messages;
  }

  it('publishes committed events unchanged, with type and trace, and no rolled-back ones', async () => {
    const relay = bench.relay({ pollMs: 60_000 });
    const received = new Received();
    bench.consumer({ handle: received.take });
    const kept = eventOf('call_1', 1);
    const undone = eventOf('call_2', 1);
    await expect(
      bench.db.transaction(async (tx) => {
        await append(tx, [undone]);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await commitEach(bench.db, [kept]);
    relay.wake();
    await eventually(() => received.holds([kept]));
    const [event] = received.deliveries;
    expect(event).toMatchObject({
      id: kept.id,
      type: 'call.created',
      traceparent: kept.traceparent,
      payload: kept.payload,
    });
    expect(received.payloads.has(undone.id)).toBe(false);
    await drained();
    const row = await bench.db.query<{ stream_seq: string }>({ text: 'select stream_seq from outbox' });
    expect(row.rows).toEqual([{ stream_seq: String(event?.streamSeq) }]);
  });

  it('keeps the order of each resource with several relays, and publishes each event once', async () => {
    const events: OutboxEvent[] = [];
    for (let seq = 1; seq <= 40; seq += 1) {
      for (let call = 0; call < 25; call += 1) events.push(eventOf(`call_${call}`, seq));
    }
    const relays = [1, 2, 3].map(() => bench.relay({ pollMs: 20, batch: 64 }));
    // Different resources commit in any order. Events of one resource commit in their order, as they do under a row lock.
    await Promise.all(
      [0, 1, 2, 3, 4].map(async (writer) => {
        for (const event of events.filter((_, place) => place % 5 === writer)) {
          await commitEach(bench.db, [event]);
          relays[writer % 3]?.wake();
        }
      }),
    );
    await drained();
    const messages = await stored();
    expect(messages).toHaveLength(events.length);
    const last = new Map<string, number>();
    for (const { resource, seq } of messages) {
      expect(seq).toBe((last.get(resource) ?? 0) + 1);
      last.set(resource, seq);
    }
  });

  it('publishes an event whose transaction commits seconds after later ones were published', async () => {
    const relay = bench.relay({ pollMs: 50 });
    const late = eventOf('call_1', 1);
    const passes = async (): Promise<void> => {
      const event = eventOf('call_2', 1);
      await commitEach(bench.db, [event]);
      relay.wake();
      await drained();
    };
    await bench.db.transaction(async (tx) => {
      await append(tx, [late]);
      // Longer than a position takes to settle, with passes in the meantime.
      const until = performance.now() + 3_000;
      while (performance.now() < until) await passes();
    });
    relay.wake();
    await eventually(async () => ((await stored()).some(({ id }) => id === late.id) ? true : undefined));
    await drained();
  });

  it('loses no event if NATS is killed during publishing', async () => {
    const received = new Received();
    const relay = bench.relay({ pollMs: 20, batch: 16 });
    bench.consumer({ handle: received.take });
    const events = Array.from({ length: 400 }, (_, place) => eventOf(`call_${place % 7}`, Math.floor(place / 7)));
    const writing = commitEach(bench.db, events).then(() => relay.wake());
    await eventually(() => (received.deliveries.length > 20 ? true : undefined));
    await bench.server.kill();
    await writing;
    await bench.server.start();
    await eventually(() => received.holds(events));
    // Events are marked as published shortly after their delivery.
    await drained();
  });

  it('publishes everything again after the loss of the whole store', async () => {
    const received = new Received();
    bench.relay({ pollMs: 20 });
    const before = Array.from({ length: 120 }, (_, place) => eventOf(`call_${place % 10}`, Math.floor(place / 10)));
    await commitEach(bench.db, before);
    await drained();
    await bench.server.kill();
    bench.server.deleteStore();
    const meanwhile = [eventOf('call_1', 100), eventOf('call_2', 100)];
    await commitEach(bench.db, meanwhile);
    await bench.server.start();
    // Nothing had been consumed, so the events of the lost store must come from the table.
    bench.consumer({ handle: received.take });
    await eventually(() => received.holds([...before, ...meanwhile]));
    const messages = await stored();
    expect(messages.filter(({ resource }) => resource === 'call_1').map(({ seq }) => seq)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 100,
    ]);
  });

  it('publishes exactly the events that a restored older store lacks', async () => {
    bench.relay({ pollMs: 20, reconcileMs: 200 });
    const kept = Array.from({ length: 30 }, (_, place) => eventOf(`call_${place}`, 1));
    await commitEach(bench.db, kept);
    await drained();
    await bench.server.kill();
    const backup = `${bench.server.store}-backup`;
    cpSync(bench.server.store, backup, { recursive: true });
    await bench.server.start();
    const cut = Array.from({ length: 20 }, (_, place) => eventOf(`call_${place}`, 2));
    await commitEach(bench.db, cut);
    await drained();
    await bench.server.kill();
    rmSync(bench.server.store, { recursive: true });
    cpSync(backup, bench.server.store, { recursive: true });
    await bench.server.start();
    await eventually(async () => ((await stored()).length === 50 ? true : undefined));
    const ids = (await stored()).map(({ id }) => id);
    expect(ids.slice(0, 30).sort()).toEqual(kept.map(({ id }) => id).sort());
    expect(ids.slice(30).sort()).toEqual(cut.map(({ id }) => id).sort());
  });

  it('detects a deleted stream at the next comparison', async () => {
    bench.relay({ pollMs: 20, reconcileMs: 200 });
    const events = [eventOf('call_1', 1), eventOf('call_1', 2)];
    await commitEach(bench.db, events);
    await drained();
    await bench.manager.streams.delete('EVENTS');
    await eventually(async () => ((await stored()).length === 2 ? true : undefined));
    expect((await stored()).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  });

  it('updates a stream with another configuration, and reads the result back', async () => {
    await bench.manager.streams.add({ name: 'EVENTS', subjects: ['events.v1.>'], max_age: 1_000_000_000 });
    const info = await ensureStream(bench.manager, streams.EVENTS);
    expect(info.config).toMatchObject(streams.EVENTS);
    expect((await bench.manager.streams.info('EVENTS')).config).toMatchObject(streams.EVENTS);
  });
});
