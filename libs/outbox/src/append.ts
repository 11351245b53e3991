import type { Queryable } from '@parley/runtime';
import type { OutboxEvent } from './event';

/** One SQL expression for each column of an event in the outbox, over the rows passed to `outboxInsert`. */
export interface OutboxColumns {
  readonly id: string;
  /** Such as `'EVENTS'`, with the quotes. */
  readonly stream: string;
  readonly subject: string;
  readonly payload: string;
  readonly traceparent: string;
  /** Events with the same key are published sequentially, by `orderingSeq`. */
  readonly orderingKey: string;
  readonly orderingSeq: string;
}

/**
 * The insert of events as SQL, for a statement that writes what they report as well; everything else uses `append`.
 * @param from what follows `from`: the rows in the order in which they are appended
 */
export const outboxInsert = (columns: OutboxColumns, from: string): string => `
  insert into outbox (id, stream, subject, payload, traceparent, ordering_key, ordering_seq)
  select ${columns.id}, ${columns.stream}, ${columns.subject}, ${columns.payload}, ${columns.traceparent},
    ${columns.orderingKey}, ${columns.orderingSeq}
  from ${from}`;

const appendText = outboxInsert(
  {
    id: 'id',
    stream: 'stream',
    subject: 'subject',
    payload: 'payload',
    traceparent: 'traceparent',
    orderingKey: 'ordering_key',
    orderingSeq: 'ordering_seq',
  },
  `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[]) with ordinality
    as event (id, stream, subject, payload, traceparent, ordering_key, ordering_seq, place)
  order by place`,
);

interface Ordering {
  readonly resource_id?: string | null;
  readonly resource_seq?: number | null;
}

/**
 * Appends events in the caller's transaction, with one statement. They are published after the commit; call the
 * relay's `wake()` then, so that this happens at once. Nothing is published for a transaction that rolls back.
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
