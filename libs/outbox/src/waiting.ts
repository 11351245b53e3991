import type { Queryable } from '@parley/runtime';
import type { StreamName } from './event';
import type { Transactions } from './settled-position';

/** A row of the outbox to be published. */
export interface WaitingEvent {
  readonly id: string;
  readonly stream: StreamName;
  readonly subject: string;
  readonly payload: string;
  readonly traceparent: string | null;
  readonly ordering_key: string;
  /** The position in the order of appending; pg returns bigint as text. */
  readonly position: string;
  /** With microseconds. Together with the id it identifies the row. */
  readonly created_at: string;
}

const columns = 'id, stream, subject, payload, traceparent, ordering_key, position, created_at::text';

/**
 * Takes the lock of the pass over this schema's outbox within the transaction `tx`, so that only one relay publishes at a time (ADR 0022). Undefined: another
 * relay has the lock.
 * The pass is committed without waiting until the commit is on disk (synchronous_commit off). If a crash of PostgreSQL loses the commit, the events are
 * published again, and the stream drops the duplicates by their ids.
 */
export async function takePass(tx: Queryable): Promise<Transactions | undefined> {
  const { rows } = await tx.query<{ taken: boolean; xmin: string; xmax: string }>({
    name: 'outbox-pass',
    text: `select pg_try_advisory_xact_lock(${passSpace}, hashtext(current_schema())) as taken,
             pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_snapshot_xmax(pg_current_snapshot())::text as xmax,
             set_config('synchronous_commit', 'off', true)`,
  });
  const [row] = rows;
  return row?.taken === true ? { xmin: BigInt(row.xmin), xmax: BigInt(row.xmax) } : undefined;
}

/**
 * Whether an event waits after a position. It is one statement without a transaction, for the frequent case that none waits.
 * @param after see `readWaiting`
 */
export async function lookForWaiting(
  db: Queryable,
  after: number,
): Promise<Transactions & { readonly waiting: boolean }> {
  const { rows } = await db.query<{ waiting: boolean; xmin: string; xmax: string }>({
    name: 'outbox-look',
    text: `select (select position from outbox where published_at is null and position > $1 order by position limit 1) is not null as waiting,
             pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_snapshot_xmax(pg_current_snapshot())::text as xmax`,
    values: [after],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the query for waiting events returned no row');
  return { waiting: row.waiting, xmin: BigInt(row.xmin), xmax: BigInt(row.xmax) };
}

/** The first key of the advisory lock of a pass. */
const passSpace = 7402;

/**
 * The oldest waiting events after a position, at most `limit`, in publishing order per resource. The caller must already have the lock of the pass. Positions
 * follow the order of a resource's events, because the writer has locked the resource's row (see outbox.sql): events beyond the limit are later events of their
 * resource.
 * @param after all events up to this position are published; see `SettledPosition`
 */
export async function readWaiting(tx: Queryable, limit: number, after = 0): Promise<WaitingEvent[]> {
  const { rows } = await tx.query<WaitingEvent>({
    name: 'outbox-waiting',
    text: `select ${columns} from outbox where published_at is null and position > $2 order by position limit $1`,
    values: [limit, after],
  });
  return rows;
}

/** A position among the events that a stream acknowledged. */
export interface AcknowledgedPlace {
  readonly created: string;
  /** pg returns bigint as text. */
  readonly seq: string;
}

/** An event that its stream has lost, with its position in the stream. */
export type LostEvent = WaitingEvent & { readonly stream_created: string; readonly stream_seq: string };

const lostText = (side: '<' | '>'): string => `
  select ${columns}, stream_created, stream_seq from outbox
  where stream = $1 and published_at is not null and stream_created ${side} $2 and (stream_created, stream_seq) > ($3, $4)
  order by stream_created, stream_seq limit $5`;

/** Events after a position that were acknowledged by a stream with another creation time than `created`, in the order of the stream. */
export async function readLost(
  tx: Queryable,
  stream: StreamName,
  created: string,
  after: AcknowledgedPlace,
  limit: number,
): Promise<LostEvent[]> {
  const values = [stream, created, after.created, after.seq, limit];
  const before = await tx.query<LostEvent>({ name: 'outbox-lost', text: lostText('<'), values });
  if (before.rows.length > 0) return before.rows;
  const { rows } = await tx.query<LostEvent>({ name: 'outbox-lost-later', text: lostText('>'), values });
  return rows;
}

/** The acknowledgement (PubAck) of an event. */
export interface Published {
  readonly id: string;
  /** The creation time of the event's row. */
  readonly createdAt: string;
  /** The stream's creation time, read before the event was sent. */
  readonly streamCreated: string;
  readonly streamSeq: number;
}

// The timestamps select the partitions; the id then identifies the event.
const markText = `
  update outbox set published_at = now(),
    stream_created = ($2::text[])[array_position($1::text[], id)], stream_seq = ($3::bigint[])[array_position($1::text[], id)]
  where id = any($1::text[])
    and created_at between (select min(one) from unnest($4::timestamptz[]) one) and (select max(one) from unnest($4::timestamptz[]) one)`;

/** Records the acknowledgements in the transaction of the pass. */
export async function markPublished(tx: Queryable, published: readonly Published[]): Promise<void> {
  if (published.length === 0) return;
  await tx.query({
    name: 'outbox-mark',
    text: markText,
    values: [
      published.map((ack) => ack.id),
      published.map((ack) => ack.streamCreated),
      published.map((ack) => ack.streamSeq),
      published.map((ack) => ack.createdAt),
    ],
  });
}
