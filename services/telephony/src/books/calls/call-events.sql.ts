import { outboxInsert } from '@parley/outbox';
import type { Queryable } from '@parley/runtime';
import type { CallEvent } from './call-event.rules';

interface Announced {
  readonly callId: string;
  readonly traceparent: string;
  readonly resourceSeq: string;
}

/** Inserts rows with `event_id`, `subject` and `payload` into the outbox; the given expressions supply the other columns. */
export const announcement = ({ callId, traceparent, resourceSeq }: Announced, from: string): string =>
  outboxInsert(
    {
      id: 'event_id',
      stream: "'EVENTS'",
      subject: 'subject',
      payload: 'payload',
      traceparent,
      orderingKey: callId,
      orderingSeq: resourceSeq,
    },
    from,
  );

const appendText = `
  with event as materialized (
    select event_id, type, resource_seq, subject, head || data || '}' as payload, created_at
    from unnest($4::text[], $5::text[], $6::integer[], $7::text[], $8::text[], $9::timestamptz[], $10::text[])
      as given (event_id, type, resource_seq, subject, head, created_at, data)
  ), log as (
    insert into call_events (call_id, resource_seq, organization_id, event_id, type, payload, created_at)
    select $2::text, resource_seq, $1::text, event_id, type, payload, created_at from event returning 1
  ), announced as (
    ${announcement({ callId: '$2::text', traceparent: '$3::text', resourceSeq: 'resource_seq' }, 'event order by resource_seq')}
    returning 1
  ) select 1`;

/** Appends a call's events in the transaction of their transitions. The caller has locked the call. */
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
    values: [
      organizationId,
      callId,
      traceparent ?? null,
      events.map((event) => event.eventId),
      events.map((event) => event.type),
      events.map((event) => event.resourceSeq),
      events.map((event) => event.subject),
      events.map((event) => event.head),
      events.map((event) => event.createdAt),
      events.map((event) => event.data),
    ],
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
