import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import type { Database, Queryable, Statement } from '@parley/runtime';
import { retentionDays } from './streams';

/** How many rows one statement sets waiting again, so that no lock is held for long. */
const stepRows = 5_000;

interface AcknowledgedRow {
  readonly id: string;
  readonly stream_seq: string;
}

async function firstRow(db: Queryable, statement: Statement): Promise<AcknowledgedRow | undefined> {
  const { rows } = await db.query<AcknowledgedRow>(statement);
  return rows[0];
}

const highestAcknowledged = (stream: string, created: string): Statement => ({
  name: 'outbox-highest',
  text: `select id, stream_seq from outbox
    where stream = $1 and stream_created = $2 and published_at is not null order by stream_seq desc limit 1`,
  values: [stream, created],
});

const acknowledgedFrom = (stream: string, created: string, sequence: number): Statement => ({
  name: 'outbox-from',
  text: `select id, stream_seq from outbox
    where stream = $1 and stream_created = $2 and stream_seq >= $3 and published_at is not null order by stream_seq limit 1`,
  values: [stream, created, sequence],
});

/** True when the stream still holds the event at the sequence it acknowledged, or has let it expire by age. */
async function holds(jsm: JetStreamManager, info: StreamInfo, row: AcknowledgedRow): Promise<boolean> {
  const sequence = Number(row.stream_seq);
  if (sequence > info.state.last_seq) return false;
  if (sequence < info.state.first_seq) return true;
  const stored = await jsm.streams.getMessage(info.config.name, { seq: sequence });
  return stored?.header.get('Nats-Msg-Id') === row.id;
}

/**
 * The lowest acknowledged sequence that the stream does not hold any more; undefined when it holds the highest one,
 * and so all of them: a stream loses its tail (a crash before a sync, an older backup), never its middle.
 */
async function firstMismatch(db: Queryable, jsm: JetStreamManager, info: StreamInfo): Promise<number | undefined> {
  const stream = info.config.name;
  const highest = await firstRow(db, highestAcknowledged(stream, info.created));
  if (highest === undefined || (await holds(jsm, info, highest))) return undefined;
  let good = 0;
  let bad = Number(highest.stream_seq);
  while (good + 1 < bad) {
    const middle = Math.floor((good + bad) / 2);
    const row = await firstRow(db, acknowledgedFrom(stream, info.created, middle));
    if (row === undefined || !(await holds(jsm, info, row))) bad = middle;
    else good = Math.max(middle, Math.min(Number(row.stream_seq), bad - 1));
  }
  return bad;
}

const waitAgain = (condition: string): string => `
  update outbox set published_at = null, stream_created = null, stream_seq = null
  where id in (
    select id from outbox
    where published_at is not null and stream = $1 and ${condition}
      and published_at > now() - make_interval(days => ${retentionDays})
    limit ${stepRows} for update skip locked)`;

async function repeat(db: Queryable, statement: Statement): Promise<number> {
  let total = 0;
  for (;;) {
    const { rowCount } = await db.query(statement);
    total += rowCount;
    if (rowCount < stepRows) return total;
  }
}

/**
 * Compares what the table believes to be in a stream with what is there, and sets waiting again whatever is not:
 * every event acknowledged by a stream of another creation time (the store was lost, the stream deleted), and every
 * event from the first acknowledged sequence that no longer holds its event. Only events published within the stream's
 * retention; the stream would have dropped older ones anyway. Answers how many were set waiting.
 */
export async function reconcileStream(db: Database, jsm: JetStreamManager, info: StreamInfo): Promise<number> {
  const stream = info.config.name;
  const lost = await repeat(db, {
    name: 'outbox-lost',
    text: waitAgain('(stream_created < $2 or stream_created > $2)'),
    values: [stream, info.created],
  });
  const mismatch = await firstMismatch(db, jsm, info);
  if (mismatch === undefined) return lost;
  const cut = await repeat(db, {
    name: 'outbox-cut',
    text: waitAgain('stream_created = $2 and stream_seq >= $3'),
    values: [stream, info.created, mismatch],
  });
  return lost + cut;
}

/** Deletes published rows that no stream can be asked for any more. Answers how many, at most one step's. */
export async function pruneOutbox(db: Queryable): Promise<number> {
  const { rowCount } = await db.query({
    name: 'outbox-prune',
    text: `delete from outbox where id in (
      select id from outbox
      where published_at is not null and created_at < now() - make_interval(days => ${retentionDays}, hours => 1)
        and published_at < now() - make_interval(days => ${retentionDays}, hours => 1)
      limit ${stepRows} for update skip locked)`,
  });
  return rowCount;
}
