import { AckPolicy } from '@nats-io/jetstream';
import { createInbox } from '@nats-io/transport-node';
import { eventually } from '@parley/testing';
import { ensureStream, UnprocessableEventError, streams, type ConsumedEvent } from '../src';
import { recreateStaleConsumer } from '../src/ensure-consumer';
import { commitEach, eventOf, outboxBench, Received, waiting, type OutboxBench } from './outbox-bench';

describe('consumer', () => {
  let bench: OutboxBench;

  beforeEach(async () => {
    bench = await outboxBench();
    bench.relay({ pollMs: 20 });
  });
  afterEach(() => bench.close());

  const events = (count: number) => Array.from({ length: count }, (_, place) => eventOf(`call_${place}`, 1));
  const deadLetters = async () =>
    (
      await bench.db.query<{ event_id: string; deliveries: number; payload: Buffer }>({
        text: 'select * from dead_letters',
      })
    ).rows;
  const settled = () =>
    eventually(async () => {
      const info = await bench.manager.consumers.info('EVENTS', 'test');
      return info.num_pending === 0 && info.num_ack_pending === 0 ? true : undefined;
    });

  it('distributes the events of one durable consumer to replicas, each handled once', async () => {
    const [first, second] = [new Received(), new Received()];
    // Long enough for a slow machine, because events that are not acknowledged in time are redelivered.
    bench.consumer({ handle: first.take, ackWaitSeconds: 60 });
    bench.consumer({ handle: second.take, ackWaitSeconds: 60 });
    const all = events(200);
    await commitEach(bench.db, all);
    await eventually(() => (first.deliveries.length + second.deliveries.length >= 200 ? true : undefined));
    await settled();
    const ids = [...first.deliveries, ...second.deliveries].map(({ id }) => id);
    expect(ids.sort()).toEqual(all.map(({ id }) => id).sort());
  });

  it('updates a durable consumer that an earlier version created with another configuration', async () => {
    await ensureStream(bench.manager, streams.EVENTS);
    await bench.manager.consumers.add('EVENTS', {
      durable_name: 'test',
      filter_subject: 'events.v1.>',
      ack_policy: AckPolicy.Explicit,
      ack_wait: 77_000_000_000,
    });
    const received = new Received();
    bench.consumer({ handle: received.take });
    await commitEach(bench.db, events(1));
    await eventually(() => (received.deliveries.length > 0 ? true : undefined));
    const { config } = await bench.manager.consumers.info('EVENTS', 'test');
    expect(config).toMatchObject({ ack_wait: 2_000_000_000, max_ack_pending: 1024 });
  });

  it('dead-letters an unprocessable event immediately, a failing one after maxDeliver deliveries, and handles the others', async () => {
    const received = new Received();
    const [unprocessable, failing, good] = [eventOf('call_1', 1), eventOf('call_2', 1), eventOf('call_3', 1)];
    const attempts = new Map<string, number>();
    bench.consumer({
      maxDeliver: 3,
      // Long enough for a slow machine, because events that are not acknowledged in time are redelivered.
      ackWaitSeconds: 60,
      handle: (event: ConsumedEvent) => {
        attempts.set(event.id, (attempts.get(event.id) ?? 0) + 1);
        if (event.id === unprocessable.id) throw new UnprocessableEventError('never');
        if (event.id === failing.id) throw new Error('a defect');
        return received.take(event);
      },
    });
    await commitEach(bench.db, [unprocessable, failing, good]);
    await eventually(async () => ((await deadLetters()).length === 2 ? true : undefined));
    await settled();
    expect(received.holds([good])).toBe(true);
    expect(attempts.get(unprocessable.id)).toBe(1);
    expect(attempts.get(failing.id)).toBe(3);
    const row = (await deadLetters()).find(({ event_id }) => event_id === failing.id);
    expect(row?.payload.toString()).toBe(failing.payload);
  });

  it('does not dead-letter an event because the database is unavailable', async () => {
    const received = new Received();
    const one = eventOf('call_1', 1);
    let failures = 0;
    bench.consumer({
      maxDeliver: 1,
      handle: (event) => {
        failures += 1;
        if (failures <= 3) throw Object.assign(new Error('terminating connection'), { code: '57P01' });
        return received.take(event);
      },
    });
    await commitEach(bench.db, [one]);
    await eventually(() => received.holds([one]));
    expect(await deadLetters()).toEqual([]);
  });

  it('handles a batch as a whole, and each event separately if the batch fails', async () => {
    const received = new Received();
    const bad = eventOf('call_1', 1);
    const batches: number[] = [];
    bench.consumer({
      handle: (event) => {
        if (event.id === bad.id) throw new UnprocessableEventError('bad');
        return received.take(event);
      },
      handleMany: async (batch) => {
        batches.push(batch.length);
        if (batch.some(({ id }) => id === bad.id)) throw new Error('one of them is bad');
        for (const event of batch) await received.take(event);
      },
    });
    const all = [bad, ...events(50)];
    await commitEach(bench.db, all);
    await eventually(() => received.holds(all.slice(1)));
    await eventually(async () => ((await deadLetters()).length === 1 ? true : undefined));
    expect(batches.length).toBeGreaterThan(0);
  });

  it('continues after the deletion of its consumer, of the stream, and a kill of the server', async () => {
    const received = new Received();
    bench.consumer({ handle: received.take });
    const all = events(4);
    const step = async (place: number) => {
      await commitEach(bench.db, all.slice(place, place + 1));
      // At the latest, the next comparison with the stream a minute later delivers it.
      await eventually(() => received.holds(all.slice(0, place + 1)));
    };
    await step(0);
    await bench.manager.consumers.delete('EVENTS', 'test');
    await step(1);
    await bench.manager.streams.delete('EVENTS');
    await step(2);
    await bench.server.kill();
    await bench.server.start();
    await step(3);
    // Events are marked as published shortly after their delivery.
    await eventually(async () => ((await waiting(bench.db)) === 0 ? true : undefined));
  });

  /** Occupies the consumer with the maximum number of waiting pull requests, so that other subscribers receive nothing. */
  const occupy = async () => {
    const connection = await bench.nats.connection();
    const inbox = createInbox();
    connection.subscribe(inbox, { callback: () => undefined });
    const request = JSON.stringify({ batch: 1_000, expires: 3_600_000_000_000 });
    for (let place = 0; place < 600; place += 1) {
      connection.publish('$JS.API.CONSUMER.MSG.NEXT.EVENTS.test', request, { reply: inbox });
    }
    await connection.flush();
  };
  const madeAt = async () => (await bench.manager.consumers.info('EVENTS', 'test')).created;

  it('recreates a consumer that delivers nothing and has no acknowledged event', async () => {
    await ensureStream(bench.manager, streams.EVENTS);
    const configuration = { durable_name: 'test', filter_subject: 'events.v1.>', ack_policy: AckPolicy.Explicit };
    const { created } = await bench.manager.consumers.add('EVENTS', configuration);
    await occupy();
    const all = events(3);
    await commitEach(bench.db, all);
    await eventually(async () => ((await waiting(bench.db)) === 0 ? true : undefined));
    const received = new Received();
    // A long ack wait, so that a redelivery cannot be the reason.
    bench.consumer({ handle: received.take, ackWaitSeconds: 600 });
    await eventually(() => received.holds(all));
    expect(await madeAt()).not.toBe(created);
    await settled();
  });

  it('keeps a consumer with an acknowledged event although heartbeats are missing', async () => {
    const received = new Received();
    const all = events(2);
    bench.consumer({ handle: received.take, ackWaitSeconds: 600 });
    await commitEach(bench.db, all.slice(0, 1));
    await eventually(() => received.holds(all.slice(0, 1)));
    await settled();
    const created = await madeAt();
    const known = await bench.manager.consumers.info('EVENTS', 'test');
    // As a replica does if heartbeats are missing.
    expect(await recreateStaleConsumer(bench.manager, known)).toBe('kept');
    await commitEach(bench.db, all.slice(1));
    await eventually(() => received.holds(all));
    expect(await madeAt()).toBe(created);
  });

  it('does not delete a consumer that was recreated in the meantime, and subscribes again', async () => {
    await ensureStream(bench.manager, streams.EVENTS);
    const configuration = { durable_name: 'test', filter_subject: 'events.v1.>', ack_policy: AckPolicy.Explicit };
    const known = await bench.manager.consumers.add('EVENTS', configuration);
    await bench.manager.consumers.delete('EVENTS', 'test');
    const { created } = await bench.manager.consumers.add('EVENTS', configuration);
    expect(await recreateStaleConsumer(bench.manager, known)).toBe('made again');
    expect(await madeAt()).toBe(created);
    expect(await recreateStaleConsumer(bench.manager, { ...known, created })).toBe('deleted');
  });

  it('finishes received events before it stops', async () => {
    const received = new Received();
    let release: () => void = () => undefined;
    const blocked = new Promise<void>((resolve) => (release = resolve));
    const consumer = bench.consumer({
      nats: bench.nats,
      ackWaitSeconds: 30,
      concurrency: 1,
      batch: 1,
      handle: async (event) => {
        await blocked;
        await received.take(event);
      },
    });
    const all = events(20);
    await commitEach(bench.db, all);
    await eventually(async () => {
      const info = await bench.manager.consumers.info('EVENTS', 'test');
      return info.num_ack_pending === 20 ? true : undefined;
    });
    // After the reply to this flush, everything that the server sent before has arrived.
    await (await bench.nats.connection()).flush();
    const stopped = consumer.stop();
    release();
    await stopped;
    expect(received.holds(all)).toBe(true);
    expect(received.deliveries).toHaveLength(20);
    await settled();
  });
});
