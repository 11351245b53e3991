import type { NatsConnection } from '@nats-io/transport-node';
import { privateNats, type PrivateNats } from '@parley/testing';
import { createNats, type NatsConnections } from '@parley/runtime';
import { jetstreamManager } from '@nats-io/jetstream';
import { ensureStream, streams } from '../src';
import { AcknowledgedPublisher } from '../src/acknowledged-publisher';
import type { WaitingEvent } from '../src/waiting';
import { eventOf, log } from './outbox-bench';

const waitingEvent = (change: Partial<WaitingEvent> = {}): WaitingEvent => {
  const { id, stream, subject, payload } = eventOf('call_1', 1);
  return {
    id,
    stream,
    subject,
    payload,
    position: '1',
    created_at: '2026-01-01T00:00:00.000Z',
    traceparent: null,
    ordering_key: 'call_1',
    ...change,
  };
};

describe('AcknowledgedPublisher', () => {
  let server: PrivateNats;
  let nats: NatsConnections;
  let connection: NatsConnection;

  beforeAll(async () => {
    server = await privateNats();
    nats = createNats({ url: server.url, name: 'publisher-test', log });
    connection = await nats.connection();
    await ensureStream(await jetstreamManager(connection, { checkAPI: false }), streams.EVENTS);
  });
  afterAll(async () => {
    await nats.close();
    await server.close();
  });

  it('returns the acknowledgement of each message, and marks a repeated one as duplicate', async () => {
    const publisher = new AcknowledgedPublisher(connection, 5_000);
    const events = Array.from({ length: 50 }, () => waitingEvent());
    const acknowledgements = await Promise.all(events.map((event) => publisher.publish(event)));
    const first = acknowledgements[0]?.seq ?? NaN;
    expect(acknowledgements.map(({ seq }) => seq)).toEqual(events.map((_, place) => first + place));
    const [event = waitingEvent()] = events;
    await expect(publisher.publish(event)).resolves.toMatchObject({ stream: 'EVENTS', seq: first, duplicate: true });
    publisher.close();
  });

  it.each([
    ['a subject that no stream accepts', { subject: 'unknown.takes.this' }],
    ['another stream than the expected one', { stream: 'AUDIT' as const }],
  ])('rejects %s, and continues with the next message', async (_title, change) => {
    const publisher = new AcknowledgedPublisher(connection, 5_000);
    await expect(publisher.publish(waitingEvent(change))).rejects.toThrow();
    await expect(publisher.publish(waitingEvent())).resolves.toMatchObject({ stream: 'EVENTS' });
    publisher.close();
  });

  it('rejects a message that is not acknowledged in time, and all pending ones when it is closed', async () => {
    // A subscriber that never replies, so that the server does not respond with "no responders".
    connection.subscribe('silent.>', { callback: () => undefined });
    await connection.flush();
    const hasty = new AcknowledgedPublisher(connection, 20);
    const silent = () => waitingEvent({ subject: 'silent.one' });
    await Promise.all([1, 2, 3].map(() => expect(hasty.publish(silent())).rejects.toThrow()));
    hasty.close();
    const patient = new AcknowledgedPublisher(connection, 60_000);
    const pending = expect(patient.publish(silent())).rejects.toThrow();
    patient.close();
    await pending;
  });
});
