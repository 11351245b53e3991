import type { Queryable } from '@parley/runtime';

/** A message of a stream, identified by its sequence number and its id. */
export interface StreamPlace {
  readonly seq: number;
  readonly id: string;
}

/** The position of a durable consumer in its stream, as recorded in the database. */
export interface StreamMemory extends StreamPlace {
  /** The stream's creation time. */
  readonly created: string;
}

/** The key of a recorded position: [stream, durable]. */
type Whose = readonly [stream: string, durable: string];

/** Records the highest handled position. Writes nothing if the stream was recreated since: `verify` handles that. */
export async function recordPosition(db: Queryable, whose: Whose, { created, seq, id }: StreamMemory): Promise<void> {
  await db.query({
    name: 'stream-record-position',
    text: `insert into stream_memory as memory (stream, durable, stream_created, stream_seq, event_id) values ($1, $2, $3, $4, $5)
      on conflict (stream, durable) do update set stream_seq = excluded.stream_seq, event_id = excluded.event_id
      where memory.stream_created = excluded.stream_created and memory.stream_seq < excluded.stream_seq`,
    values: [...whose, created, seq, id],
  });
}

/** Locks the recorded position until the transaction ends and returns it. If the stream is new to the consumer, it is empty. */
export async function lockMemory(tx: Queryable, whose: Whose, created: string): Promise<StreamMemory> {
  await tx.query({
    text: `insert into stream_memory (stream, durable, stream_created, stream_seq, event_id) values ($1, $2, $3, 0, '') on conflict do nothing`,
    values: [...whose, created],
  });
  const { rows } = await tx.query<{ stream_created: string; stream_seq: string; event_id: string }>({
    text: 'select stream_created, stream_seq, event_id from stream_memory where stream = $1 and durable = $2 for update',
    values: whose,
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the INSERT returned no row');
  return { created: row.stream_created, seq: Number(row.stream_seq), id: row.event_id };
}

/** Sets the recorded position and deletes the marks after it, whose messages are lost. */
export async function resetMemory(tx: Queryable, whose: Whose, { created, seq, id }: StreamMemory): Promise<void> {
  await tx.query({
    text: 'update stream_memory set stream_created = $3, stream_seq = $4, event_id = $5 where stream = $1 and durable = $2',
    values: [...whose, created, seq, id],
  });
  await tx.query({
    text: 'delete from stream_marks where stream = $1 and durable = $2 and (stream_created <> $3 or stream_seq > $4)',
    values: [...whose, created, seq],
  });
}

/** Marks are deleted after the retention time of the stream, when they are no longer useful. */
const marksKeptDays = 8;

export async function mark(tx: Queryable, whose: Whose, { created, seq, id }: StreamMemory): Promise<void> {
  await tx.query({
    text: `insert into stream_marks (stream, durable, stream_created, stream_seq, event_id) values ($1, $2, $3, $4, $5) on conflict do nothing`,
    values: [...whose, created, seq, id],
  });
  await tx.query({
    text: `delete from stream_marks where stream = $1 and durable = $2 and marked_at < now() - make_interval(days => ${marksKeptDays})`,
    values: whose,
  });
}

/** The marks (earlier recorded positions) of a stream, newest first. */
export async function readMarks(tx: Queryable, whose: Whose, created: string): Promise<StreamPlace[]> {
  const { rows } = await tx.query<{ stream_seq: string; event_id: string }>({
    text: `select stream_seq, event_id from stream_marks where stream = $1 and durable = $2 and stream_created = $3
      order by stream_seq desc`,
    values: [...whose, created],
  });
  return rows.map((row) => ({ seq: Number(row.stream_seq), id: row.event_id }));
}
