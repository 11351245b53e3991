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

/** Maximum size in bytes of an event that is stored and delivered: its data, and 4 KiB for the envelope. */
export const maxEventBytes = maxEventDataBytes + 4 * 1024;

export interface EventConsumerOptions {
  readonly db: Database;
  readonly nats: NatsSource;
  readonly log: Logger;
  readonly metrics: Registry;
  /** Replicas of the stream. */
  readonly replicas: number;
  /** Called after the commit with the endpoints that have due deliveries now. */
  readonly onDeliveries: (endpointIds: Iterable<string>) => void;
  /** Called after the commit with the organizations that have new events in their log. */
  readonly onLogged: (organizationIds: Iterable<string>) => void;
}

function textOf(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value !== 'string' || value === '')
    throw new UnprocessableEventError(`the event's ${name} is not a string`);
  return value;
}

const optionalText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Parses the fields needed of an event. UnprocessableEventError for anything that is not an event of the interface. */
export function newEventOf(event: ConsumedEvent): NewEvent {
  if (event.data.length > maxEventBytes) throw new UnprocessableEventError('the event is too large');
  // Deliveries send the payload as text again: decoding must not change its bytes.
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

/** Stores events: one transaction for a whole batch (events, deliveries, wake-up of queues), then the acknowledgement. */
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
    // A batch takes milliseconds and is idempotent, so events of a replica that died can be redelivered soon.
    ackWaitSeconds: 10,
    known: (ids) => knownEvents(options.db, ids),
    handle: (event) => take([event]),
    handleMany: take,
  });
}

/**
 * Stores events and makes a delivery of each for every endpoint of its project that is subscribed to its type, all in one
 * transaction. An event that is there already changes nothing, whatever has been subscribed since.
 * Returns the endpoints that have something due now.
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
