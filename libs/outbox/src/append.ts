import type { Queryable } from '@parley/runtime';
import type { OutboxEvent } from './event';

/** The SQL expressions for the columns of an event in the outbox, evaluated for each row passed to `outboxInsert`. */
export interface OutboxColumns {
  readonly id: string;
  /** The stream's name as an SQL literal, such as `'EVENTS'` with the quotes. */
  readonly stream: string;
  readonly subject: string;
  readonly payload: string;
  readonly traceparent: string;
  /** Events with the same key are published sequentially, in the order of `orderingSeq`. */
  readonly orderingKey: string;
  readonly orderingSeq: string;
}

/**
 * The SQL that inserts events, for statements that also write the changes that the events report; all other code uses `append`.
 * @param from the part after `from`: the rows in the order in which they are appended
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
 * Appends events with one statement in the caller's transaction. They are published after the commit; the caller should then call the relay's `wake()`, so that
 * this happens at once. If the transaction rolls back, nothing is published. If an id already exists, the transaction fails.
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
