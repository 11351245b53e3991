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

describe('an event that failed comes again', () => {
  it.each([
    ['soon at first', own, 1, 500],
    ['later each time', own, 6, 16_000],
    ['after 30 s at most', own, 9, 30_000],
    ['not at all once it has failed on its own account so often that it is dead-lettered', own, 10, undefined],
    ['soon at first, when a server was unavailable', away, 1, 500],
    ['after 1 s at most, however many outages it has seen', away, 500, 1_000],
  ])('%s', async (_, error, deliveries, delay) => {
    expect(await delayOf(error, deliveries)).toBe(delay);
  });
});
