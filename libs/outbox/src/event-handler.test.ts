import type { JsMsg } from '@nats-io/jetstream';
import { createLogger, type Database } from '@parley/runtime';
import { EventHandler, type Held } from './event-handler';

const away = Object.assign(new Error('away'), { status: 503 });
const own = new Error('the event is odd');

/** The redelivery delay of an event whose n-th delivery fails with this error; undefined if the event was not returned to the server. */
async function delayOf(error: Error, deliveries: number): Promise<number | undefined> {
  let delay: number | undefined;
  const message: Pick<JsMsg, 'nak' | 'ack'> = { nak: (ms) => (delay = ms), ack: () => undefined };
  const event = {
    id: 'evt_1',
    stream: 'EVENTS',
    subject: 'events.v1.org_1.call.created',
    type: 'call.created',
    data: new Uint8Array(),
    payload: '',
    streamSeq: 1,
    deliveries,
  };
  const db: Pick<Database, 'query'> = { query: () => Promise.resolve({ rows: [], rowCount: 0 }) };
  const handler = new EventHandler({
    db: db as Database,
    log: createLogger({ service: 'test', level: 'silent' }),
    durable: 'd',
    subjects: ['events.v1.>'],
    handle: () => Promise.reject(error),
    maxDeliver: 10,
    concurrency: 1,
    recordPosition: () => Promise.resolve(),
  });
  await handler.handleBatch([{ message, event } as Held]);
  return delay;
}

describe('redelivery of a failed event', () => {
  it.each([
    ['is after 500 ms at first', own, 1, 500],
    ['is delayed longer each time', own, 6, 16_000],
    ['is after at most 30 s', own, 9, 30_000],
    ['does not happen after maxDeliver failures, because it is dead-lettered', own, 10, undefined],
    ['is after 500 ms at first if a server was unavailable', away, 1, 500],
    ['is after at most 1 s for any number of outages', away, 500, 1_000],
  ])('%s', async (_, error, deliveries, delay) => {
    expect(await delayOf(error, deliveries)).toBe(delay);
  });
});
