import { createLogger, createNats, newId, type NatsConnections } from '@parley/runtime';
import { privateNats, type PrivateNats } from '@parley/testing';
import { createQueueSignal } from '../src/books/queue/queue-signal';

describe('events that wake the job queue of other replicas', () => {
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

  it.each([
    ['call.queued wakes it', 'call.queued', '{"type":"call.queued","data":{}}', 1],
    ['an unreadable call.queued wakes it', 'call.queued', '{', 1],
    ['call.created of a scheduled call does not', 'call.created', '{"type":"call.created","data":{}}', 0],
  ])('%s', async (_, type, payload, expected) => {
    let wakeUps = 0;
    const onQueued = () => (wakeUps += 1);
    const signal = createQueueSignal({ nats, log, onQueued });
    const connection = await nats.connection();
    await signal.start();
    await connection.flush();
    connection.publish(`events.v1.${newId('org')}.${type}`, payload);
    // The server's response to this arrives after the event on the same connection.
    await connection.flush();
    await signal.stop();
    expect(wakeUps).toBe(expected);
  });
});
