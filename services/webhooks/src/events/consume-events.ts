import { isUtf8 } from 'node:buffer';
import { newId, type Background, type Database, type Logger, type Registry } from '@parley/runtime';
import { allEventSubjects, isEventType, maxEventDataBytes } from '@parley/contract';
import { createConsumer, UnprocessableEventError, type ConsumedEvent, type NatsSource } from '@parley/outbox';
import {
  insertDeliveries,
  insertEvents,
  knownEvents,
  matchEndpoints,
  wakeQueues,
  type NewEvent,
} from './record-events.cross-tenant.sql';

/** Maximum size in bytes of an event that is stored and delivered: that of its data, plus 4 KiB for the envelope. */
export const maxEventBytes = maxEventDataBytes + 4 * 1024;

export interface EventConsumerOptions {
  readonly db: Database;
  readonly nats: NatsSource;
  readonly log: Logger;
  readonly metrics: Registry;
  /** Number of replicas of the stream. */
  readonly replicas: number;
  /** Called after the commit with the endpoints that now have due deliveries. */
  readonly onDeliveries: (endpointIds: Iterable<string>) => void;
  /** Called after the commit with the organizations whose logs have new events. */
  readonly onLogged: (organizationIds: Iterable<string>) => void;
}

function textOf(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value !== 'string' || value === '')
    throw new UnprocessableEventError(`the event's ${name} is not a string`);
  return value;
}

const optionalText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Parses the required fields of an event. @throws UnprocessableEventError for anything that is not an event of the public interface */
export function newEventOf(event: ConsumedEvent): NewEvent {
  if (event.data.length > maxEventBytes) throw new UnprocessableEventError('the event is too large');
  // Deliveries send the payload as text, so decoding and encoding it must not change its bytes.
  if (!isUtf8(event.data)) throw new UnprocessableEventError('the event is not UTF-8');
  let body: unknown;
  try {
    body = JSON.parse(event.payload);
  } catch (error) {
    throw new UnprocessableEventError('the event is not JSON', error);
  }
  if (typeof body !== 'object' || body === null) throw new UnprocessableEventError('the event is not a JSON object');
  const fields = body as Record<string, unknown>;
  const type = textOf(fields, 'type');
  const createdAt = textOf(fields, 'created_at');
  if (!isEventType(type)) throw new UnprocessableEventError(`unknown event type ${type}`);
  if (Number.isNaN(Date.parse(createdAt))) throw new UnprocessableEventError('created_at is not a time');
  if (textOf(fields, 'id') !== event.id)
    throw new UnprocessableEventError('the event and its message have different ids');
  return {
    organizationId: textOf(fields, 'organization_id'),
    id: event.id,
    projectId: optionalText(fields['project_id']),
    agentId: optionalText(fields['agent_id']),
    type,
    resourceId: textOf(fields, 'resource_id'),
    resourceSeq: Number.isSafeInteger(fields['resource_seq']) ? Number(fields['resource_seq']) : 0,
    payload: event.payload,
    traceparent: event.traceparent ?? null,
    createdAt,
  };
}

/** Consumes events. A whole batch (events, deliveries, wake-ups of queues) is stored in one transaction before it is acknowledged. */
export function eventConsumer({ onDeliveries, onLogged, ...options }: EventConsumerOptions): Background {
  const take = async (events: readonly ConsumedEvent[]): Promise<void> => {
    const taken = events.map(newEventOf);
    onDeliveries(await recordEvents(options.db, taken));
    onLogged(taken.map(({ organizationId }) => organizationId));
  };
  return createConsumer({
    ...options,
    stream: 'EVENTS',
    durable: 'webhooks',
    subjects: [allEventSubjects],
    // A batch takes only milliseconds and is idempotent, so the events of a replica that died can be redelivered soon.
    ackWaitSeconds: 10,
    known: (ids) => knownEvents(options.db, ids),
    handle: (event) => take([event]),
    handleMany: take,
  });
}

/**
 * Stores events, and one delivery per event for each endpoint of its project that is subscribed to its type, in one transaction. An event that is already
 * stored changes nothing, even if endpoints have subscribed since. Returns the endpoints that have due deliveries now.
 */
async function recordEvents(db: Database, events: readonly NewEvent[]): Promise<Set<string>> {
  return db.transaction(async (tx) => {
    const fresh = await insertEvents(tx, events);
    if (fresh.length === 0) return new Set<string>();
    const matches = await matchEndpoints(tx, fresh);
    if (matches.length === 0) return new Set<string>();
    await insertDeliveries(
      tx,
      matches.map((match) => ({ ...match, id: newId('dlv') })),
    );
    const active = new Set(matches.filter(({ status }) => status === 'active').map(({ endpoint_id }) => endpoint_id));
    await wakeQueues(tx, [...active]);
    return active;
  });
}
