import type { Queryable } from '@parley/runtime';
import type { StreamName } from './event';

/** A waiting row, claimed by this relay until the end of the transaction. */
export interface WaitingEvent {
  readonly id: string;
  readonly stream: StreamName;
  readonly subject: string;
  readonly payload: string;
  readonly traceparent: string | null;
  readonly ordering_key: string;
}

/** How many of the oldest waiting rows are looked at for one claim; bounds the work when a million wait. */
const windowRows = 2048;

/** How many events of one resource are taken in one claim. */
const runRows = 32;

/**
 * Claims up to `limit` waiting events. What is locked is the *first* waiting event of a resource: while one relay
 * holds it, no other takes any event of that resource (the later ones are not first), and `skip locked` lets the
 * others go on with other resources. The events that follow in the same resource come along with their first.
 * A first that another relay has published since this statement began fails the recheck of its row and drops out,
 * together with its followers. So events of one resource leave in order, however many relays there are.
 *
 * Each step is a look-up by a key, whatever the planner believes about the table: its size goes from nothing to a
 * million and back, and the partial indexes always look as if they were empty. So the recheck does not name published_at.
 */
const claimText = `
  with oldest as materialized (
    select ordering_key, position from outbox where published_at is null order by position limit ${windowRows}
  ), resource as materialized (
    select ordering_key from oldest group by ordering_key order by min(position)
  ), claimed as materialized (
    select first.ordering_key from resource cross join lateral (
      select o.ordering_key from outbox o
      where o.stream_created is null and o.id = (
        select earliest.id from outbox earliest
        where earliest.ordering_key = resource.ordering_key and earliest.published_at is null
        order by earliest.ordering_seq, earliest.position limit 1)
      for update skip locked
    ) first
    limit $1
  )
  select run.id, run.stream, run.subject, run.payload, run.traceparent, claimed.ordering_key
  from claimed cross join lateral (
    select o.id, o.stream, o.subject, o.payload, o.traceparent,
      row_number() over (order by o.ordering_seq, o.position) as place
    from outbox o
    where o.ordering_key = claimed.ordering_key and o.published_at is null
    order by o.ordering_seq, o.position limit ${runRows}
  ) run
  order by run.place
  limit $1`;

/** Events in publishing order per resource; the locks last until the transaction ends. */
export async function claimWaiting(tx: Queryable, limit: number): Promise<WaitingEvent[]> {
  const { rows } = await tx.query<WaitingEvent>({ name: 'outbox-claim', text: claimText, values: [limit] });
  return rows;
}

/** What a PubAck said about an event. */
export interface Published {
  readonly id: string;
  /** The stream's creation time, read before the event was sent. */
  readonly streamCreated: string;
  readonly streamSeq: number;
}

const markText = `
  update outbox set published_at = now(),
    stream_created = ($2::text[])[array_position($1::text[], id)], stream_seq = ($3::bigint[])[array_position($1::text[], id)]
  where id = any($1::text[])`;

/** Writes the acknowledgements back, in the transaction of the claim. */
export async function markPublished(tx: Queryable, published: readonly Published[]): Promise<void> {
  if (published.length === 0) return;
  await tx.query({
    name: 'outbox-mark',
    text: markText,
    values: [
      published.map((ack) => ack.id),
      published.map((ack) => ack.streamCreated),
      published.map((ack) => ack.streamSeq),
    ],
  });
}
