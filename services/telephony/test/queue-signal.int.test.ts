import { createLogger, createNats, newId, type NatsConnections } from '@parley/runtime';
import { privateNats, type PrivateNats } from '@parley/testing';
import { createQueueSignal } from '../src/events/queue-signal';

const now = new Date('2026-11-22T12:00:00.000Z');

describe('what tells the queue of a job that came through another replica', () => {
  const log = createLogger({ service: 'telephony-test', level: 'silent' });
  let server: PrivateNats;
  let nats: NatsConnections;

  beforeAll(async () => {
    server = await privateNats();
    nats = createNats({ url: server.url, name: 'test', log });
  });
  afterAll(async () => {
    await nats.close();
    await server.close();
  });

  const scheduledAt = (scheduled_at: string | null) => JSON.stringify({ type: 'call.queued', data: { scheduled_at } });

  it.each([
    ['a call for now', scheduledAt(null), true],
    ['a call whose time has come', scheduledAt('2026-11-22T12:00:00.000Z'), true],
    ['a call for later', scheduledAt('2026-11-22T12:00:00.001Z'), false],
    ['a call without a word of its time', '{"type":"call.queued","data":{}}', true],
    ['a time that is none', scheduledAt('soon'), true],
    ['what cannot be read', '{', true],
  ])('%s', async (_, payload, told) => {
    let nudges = 0;
    const onQueued = () => (nudges += 1);
    const signal = createQueueSignal({ nats, log, clock: { now: () => now, monotonicMs: () => 0 }, onQueued });
    const connection = await nats.connection();
    await signal.start();
    await connection.flush();
    connection.publish(`events.v1.${newId('org')}.call.queued`, payload);
    // What the server answers to this follows the event on the same connection.
    await connection.flush();
    await signal.stop();
    expect(nudges).toBe(told ? 1 : 0);
  });
});
