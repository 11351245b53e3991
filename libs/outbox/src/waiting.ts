import type { Queryable } from '@parley/runtime';
import type { StreamName } from './event';

/** A row that waits to be published. */
export interface WaitingEvent {
  readonly id: string;
  readonly stream: StreamName;
  readonly subject: string;
  readonly payload: string;
  readonly traceparent: string | null;
  readonly ordering_key: string;
}

/**
 * Takes the pass over this schema's outbox for the transaction `tx`: one relay publishes at a time, however many there are
 * (ADR 0022). False: another one is at it.
 *
 * The commit of a pass is not waited for until it is on disk: who loses it in a crash of PostgreSQL publishes again what the
 * stream knows by its id.
 */
export async function takePass(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query<{ taken: boolean }>({
    name: 'outbox-pass',
    text: `select pg_try_advisory_xact_lock(${passSpace}, hashtext(current_schema())) as taken,
             set_config('synchronous_commit', 'off', true)`,
  });
  return rows[0]?.taken === true;
}

/** The first key of the advisory lock of a pass. */
const passSpace = 7402;

/**
 * The oldest waiting events, up to `limit`, in publishing order per resource; to be asked by who has the pass, after it was taken.
 * Positions follow the order of a resource's events, since whoever appends holds the resource's row (see outbox.sql): what
 * is left behind the limit is later in its resource than what is taken.
 */
export async function readWaiting(tx: Queryable, limit: number): Promise<WaitingEvent[]> {
  const { rows } = await tx.query<WaitingEvent>({
    name: 'outbox-waiting',
    text: `select id, stream, subject, payload, traceparent, ordering_key from outbox
           where published_at is null order by position limit $1`,
    values: [limit],
  });
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

/** Writes the acknowledgements back, in the transaction of the pass. */
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
