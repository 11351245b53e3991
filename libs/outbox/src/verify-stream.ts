import {
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type ConsumerInfo,
  type JetStreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { Database } from '@parley/runtime';
import type { ConsumerDefinition } from './ensure-consumer';
import type { StreamName } from './event';
import { lockMemory, mark, readMarks, resetMemory, type StreamPlace } from './stream-memory';

/** Why a consumer must restart. */
type LossReason = 'created again' | 'end lost' | 'other message';

interface Verified {
  readonly reason: LossReason;
  /** The sequence number at which the consumer restarts. */
  readonly from: number;
}

/**
 * Compares the recorded position of a durable consumer with its stream. If the stream was recreated, ends before the last handled message, or has another
 * message at that position, the consumer is deleted and recreated to start at the newest mark that the stream still has. It then receives the events that it
 * would have skipped, and some events again. Only one replica does this; the others find the consumer already recreated.
 * @returns undefined if nothing differs
 */
export async function verifyStream(
  db: Database,
  jsm: JetStreamManager,
  known: StreamInfo,
  wanted: ConsumerDefinition & { readonly durable_name: string },
): Promise<Verified | undefined> {
  const stream = known.config.name as StreamName;
  const whose = [stream, wanted.durable_name] as const;
  return db.transaction(async (tx) => {
    const memory = await lockMemory(tx, whose, known.created);
    const consumer = await readConsumerInfo(jsm, stream, wanted.durable_name);
    // Read last, so that everything handled or received before is in the stream now, or lost.
    const info = await jsm.streams.info(stream);
    const { created } = info;
    const holds = (place: StreamPlace) => holdsPlace(jsm, info, place);
    const marks = await readMarks(tx, whose, created);
    const reason = await findLoss(info, memory, consumer, marks[0], holds);
    if (reason === undefined) {
      const floor = consumer?.ack_floor.stream_seq ?? 0;
      const there = floor > 0 && floor >= info.state.first_seq && floor <= info.state.last_seq;
      const id = there ? await idAt(jsm, stream, floor) : undefined;
      if (id !== undefined) await mark(tx, whose, { created, seq: floor, id });
      return undefined;
    }
    let good: StreamPlace = { seq: 0, id: '' };
    for (const place of marks) {
      if (!(await holds(place))) continue;
      good = place;
      break;
    }
    await makeAgain(jsm, stream, wanted, good.seq + 1);
    await resetMemory(tx, whose, { created, ...good });
    return { reason, from: good.seq + 1 };
  });
}

/** Restarts a consumer at a sequence number: all events from there on are delivered again. */
export function beginAgain(
  db: Database,
  jsm: JetStreamManager,
  info: StreamInfo,
  wanted: ConsumerDefinition & { readonly durable_name: string },
  from: number,
): Promise<void> {
  const whose = [info.config.name, wanted.durable_name] as const;
  return db.transaction(async (tx) => {
    await lockMemory(tx, whose, info.created);
    await makeAgain(jsm, info.config.name, wanted, from);
    await resetMemory(tx, whose, { created: info.created, seq: 0, id: '' });
  });
}

async function makeAgain(
  jsm: JetStreamManager,
  stream: string,
  wanted: ConsumerDefinition & { readonly durable_name: string },
  from: number,
): Promise<void> {
  if ((await readConsumerInfo(jsm, stream, wanted.durable_name)) !== undefined) {
    await jsm.consumers.delete(stream, wanted.durable_name);
  }
  await jsm.consumers.add(stream, { ...wanted, deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from });
}

async function findLoss(
  info: StreamInfo,
  memory: StreamPlace & { readonly created: string },
  consumer: ConsumerInfo | undefined,
  newestMark: StreamPlace | undefined,
  holds: (place: StreamPlace) => Promise<boolean>,
): Promise<LossReason | undefined> {
  if (memory.created !== info.created) return 'created again';
  if (Math.max(memory.seq, consumer?.delivered.stream_seq ?? 0) > info.state.last_seq) return 'end lost';
  if (memory.seq > 0 && !(await holds(memory))) return 'other message';
  if (newestMark !== undefined && !(await holds(newestMark))) return 'other message';
  return undefined;
}

/** Whether the stream has the message at its position, or has removed it because of its age. */
async function holdsPlace(jsm: JetStreamManager, info: StreamInfo, { seq, id }: StreamPlace): Promise<boolean> {
  if (seq < info.state.first_seq) return true;
  if (seq > info.state.last_seq) return false;
  const there = await idAt(jsm, info.config.name, seq);
  return there === undefined || there === id;
}

/** The id of a message as consumers see it; undefined if there is no message. */
async function idAt(jsm: JetStreamManager, stream: string, seq: number): Promise<string | undefined> {
  const message = await jsm.streams.getMessage(stream, { seq });
  return message === null ? undefined : message.header.get('Nats-Msg-Id') || `${stream}-${String(seq)}`;
}

async function readConsumerInfo(
  jsm: JetStreamManager,
  stream: string,
  durable: string,
): Promise<ConsumerInfo | undefined> {
  try {
    return await jsm.consumers.info(stream, durable);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound) return undefined;
    throw error;
  }
}
