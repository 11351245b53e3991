import type { Queryable } from '@parley/runtime';
import type { OutboxEvent } from './event';

const appendText = `
  insert into outbox (id, stream, subject, payload, traceparent, ordering_key, ordering_seq)
  select id, stream, subject, payload, traceparent, ordering_key, ordering_seq
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[]) with ordinality
    as event (id, stream, subject, payload, traceparent, ordering_key, ordering_seq, place)
  order by place`;

interface Ordering {
  readonly resource_id?: string | null;
  readonly resource_seq?: number | null;
}

/**
 * Appends events in the caller's transaction, with one statement. They are published after the commit; call the
 * relay's `nudge()` then, so that this happens at once. Nothing is published for a transaction that rolls back.
 * An id that exists already fails the transaction.
 */
export async function append(tx: Queryable, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  const orderings = events.map((event) => JSON.parse(event.payload) as Ordering);
  await tx.query({
    name: 'outbox-append',
    text: appendText,
    values: [
      events.map((event) => event.id),
      events.map((event) => event.stream),
      events.map((event) => event.subject),
      events.map((event) => event.payload),
      events.map((event) => event.traceparent ?? null),
      events.map((event, place) => orderings[place]?.resource_id ?? event.id),
      orderings.map((ordering) => ordering.resource_seq ?? 0),
    ],
  });
}
