import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import type { Database, Queryable, Statement } from '@parley/runtime';

/** Maximum of rows marked as lost per statement, so that locks are short. */
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

/** Whether the stream still has the event at the acknowledged sequence number, or has removed it because of its age. */
async function holds(jsm: JetStreamManager, info: StreamInfo, row: AcknowledgedRow): Promise<boolean> {
  const sequence = Number(row.stream_seq);
  if (sequence > info.state.last_seq) return false;
  if (sequence < info.state.first_seq) return true;
  const stored = await jsm.streams.getMessage(info.config.name, { seq: sequence });
  return stored?.header.get('Nats-Msg-Id') === row.id;
}

/**
 * The lowest acknowledged sequence number whose event the stream no longer has. Undefined if the stream has the highest one and therefore all of them: a stream
 * can lose its end (by a crash before a sync, or when an older backup is restored), but not its middle.
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

/** The creation time recorded for events that the stream with the same creation time has lost. It sorts before all others. */
const lostCreated = '';

const cut = (stream: string, created: string, sequence: number): Statement => ({
  name: 'outbox-cut',
  text: `update outbox set stream_created = '${lostCreated}' where (id, created_at) in (
    select id, created_at from outbox
    where published_at is not null and stream = $1 and stream_created = $2 and stream_seq >= $3
    limit ${stepRows} for update skip locked)`,
  values: [stream, created, sequence],
});

/**
 * Compares the table with a stream. From the first acknowledged sequence number whose event is missing in the stream, events are marked as lost, so that they
 * are published again.
 */
export async function reconcileStream(db: Database, jsm: JetStreamManager, info: StreamInfo): Promise<void> {
  const mismatch = await firstMismatch(db, jsm, info);
  if (mismatch === undefined) return;
  for (;;) {
    const { rowCount } = await db.query(cut(info.config.name, info.created, mismatch));
    if (rowCount < stepRows) return;
  }
}

/**
 * Whether there are events that were acknowledged by a stream with another creation time than the current one: the store was lost, the stream was deleted,
 * `reconcileStream` found that its end is missing, or an operator wants the events to be published again.
 */
export async function anyLost(db: Queryable, stream: string, created: string): Promise<boolean> {
  const { rows } = await db.query<{ lost: boolean }>({
    name: 'outbox-any-lost',
    text: `select exists (select from outbox where published_at is not null and stream = $1 and stream_created < $2 limit 1)
        or exists (select from outbox where published_at is not null and stream = $1 and stream_created > $2 limit 1) as lost`,
    values: [stream, created],
  });
  return rows[0]?.lost === true;
}
