import type { Queryable } from '@parley/runtime';
import type { OutboxEvent } from './event';

const appendText = `
  insert into outbox (id, stream, subject, payload, traceparent)
  select id, stream, subject, payload, traceparent
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
    as event (id, stream, subject, payload, traceparent, place)
  order by place`;

/**
 * Appends events in the caller's transaction, with one statement. They are published after the commit; call the
 * relay's `nudge()` then, so that this happens at once. Nothing is published for a transaction that rolls back.
 * An id that exists already fails the transaction.
 */
export async function append(tx: Queryable, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query({
    name: 'outbox-append',
    text: appendText,
    values: [
      events.map((event) => event.id),
      events.map((event) => event.stream),
      events.map((event) => event.subject),
      events.map((event) => event.payload),
      events.map((event) => event.traceparent ?? null),
    ],
  });
}
