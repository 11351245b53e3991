import type { Queryable } from '@parley/runtime';
import type { CallEvent } from '../domain/call-event';

/**
 * The two inserts of an event as common table expressions `log` and `announced`: into the call's own log and into the
 * outbox. They take the rows of `event (event_id, type, resource_seq, subject, payload, created_at)`.
 */
export function eventInserts(callId: string, organizationId: string, traceparent: string, onlyIf: string): string {
  return `log as (
    insert into call_events (call_id, resource_seq, organization_id, event_id, type, payload, created_at)
    select ${callId}, event.resource_seq, ${organizationId}, event.event_id, event.type, event.payload, event.created_at
    from event ${onlyIf} returning 1
  ), announced as (
    insert into outbox (id, stream, subject, payload, traceparent, ordering_key, ordering_seq)
    select event.event_id, 'EVENTS', event.subject, event.payload, ${traceparent}, ${callId}, event.resource_seq
    from event ${onlyIf} order by event.resource_seq returning 1
  )`;
}

/**
 * The rows of `event`: from six arrays, the first of them parameter `first`, and from `data`, the JSON of the call: one
 * expression for all, or undefined for a seventh array.
 */
export function eventRows(first: number, data?: string): string {
  const types = ['text', 'text', 'integer', 'text', 'text', 'timestamptz', ...(data === undefined ? ['text'] : [])];
  const arrays = types.map((type, index) => `$${first + index}::${type}[]`).join(', ');
  const names = `event_id, type, resource_seq, subject, head, created_at${data === undefined ? ', data' : ''}`;
  return `event as materialized (
    select event_id, type, resource_seq, subject, head || ${data ?? 'data'} || '}' as payload, created_at
    from unnest(${arrays}) as given (${names})
  )`;
}

export function eventValues(events: readonly CallEvent[]): unknown[] {
  return [
    events.map((event) => event.eventId),
    events.map((event) => event.type),
    events.map((event) => event.resourceSeq),
    events.map((event) => event.subject),
    events.map((event) => event.head),
    events.map((event) => event.createdAt),
  ];
}

const appendText = `with ${eventRows(4)}, ${eventInserts('$2::text', '$1::text', '$3::text', '')} select 1`;

/** Appends a call's events in the transaction of their transitions. The caller holds the call's lock. */
export async function appendCallEvents(
  tx: Queryable,
  organizationId: string,
  callId: string,
  events: readonly CallEvent[],
  traceparent?: string,
): Promise<void> {
  if (events.length === 0) return;
  await tx.query({
    name: 'call-events-append',
    text: appendText,
    values: [organizationId, callId, traceparent ?? null, ...eventValues(events), events.map((event) => event.data)],
  });
}

export interface LoggedEvent {
  readonly resourceSeq: number;
  readonly payload: string;
}

/** Oldest first, from after `afterSeq`. */
export async function listCallEvents(
  db: Queryable,
  organizationId: string,
  callId: string,
  afterSeq: number,
  limit: number,
): Promise<LoggedEvent[]> {
  const { rows } = await db.query<{ resource_seq: number; payload: string }>({
    name: 'call-events-list',
    text: `select resource_seq, payload from call_events
           where organization_id = $1 and call_id = $2 and resource_seq > $3 order by resource_seq limit $4`,
    values: [organizationId, callId, afterSeq, limit],
  });
  return rows.map((row) => ({ resourceSeq: row.resource_seq, payload: row.payload }));
}
