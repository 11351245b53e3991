import type { JetStreamManager } from '@nats-io/jetstream';
import type { Queryable } from '@parley/runtime';
import type { StreamName } from './event';
import { readLost, type AcknowledgedPlace, type LostEvent, type Published } from './waiting';

/** Maximum lag of a consumer while events are published again that it most likely has already: some tenths of a second of its work. */
const mostBehind = 1_000;
/** A consumer that has made no progress for this long does not block the others. */
const stillMs = 10_000;
/** Minimum interval between two queries of the consumers. */
const askEveryMs = 50;

const beginning: AcknowledgedPlace = { created: '', seq: '-1' };

/**
 * What streams lost and is published again, behind everything that was never published: at a pace at which consumers keep up, so that
 * a new event is not behind a backlog in the stream either.
 */
export class Repeats {
  /** For each stream with lost events: the position up to which they were published again. */
  private readonly places = new Map<StreamName, AcknowledgedPlace>();
  private readonly seen = new Map<string, { taken: number; at: number }>();
  private askedAt = -Infinity;
  private keepingUp = true;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Records whether a stream has lost events; returns whether this is new. */
  found(stream: StreamName, lost: boolean): boolean {
    if (!lost) this.places.delete(stream);
    if (!lost || this.places.has(stream)) return false;
    this.places.set(stream, beginning);
    return true;
  }

  /** Starts from the beginning: more may be lost than before. */
  restart(): void {
    for (const stream of this.places.keys()) this.places.set(stream, beginning);
  }

  get pending(): boolean {
    return this.places.size > 0;
  }

  /** The next lost events; none while an active consumer lags behind. A stream without further lost events is removed. */
  async next(tx: Queryable, createdOf: (stream: StreamName) => string, limit: number): Promise<LostEvent[]> {
    if (limit <= 0 || !this.keepingUp) return [];
    for (const [stream, place] of this.places) {
      const lost = await readLost(tx, stream, createdOf(stream), place, limit);
      if (lost.length > 0) return lost;
      this.places.delete(stream);
    }
    return [];
  }

  /** Advances behind the published events; if some were not published, to the position before them. */
  repeated(lost: readonly LostEvent[], published: readonly Published[]): void {
    const done = new Set(published.map(({ id }) => id));
    for (const { id, stream, stream_created: created, stream_seq: seq } of lost) {
      if (!done.has(id)) return;
      this.places.set(stream, { created, seq });
    }
  }

  /** Checks whether the consumers of streams with lost events keep up. */
  async look(manager: JetStreamManager): Promise<void> {
    const now = this.now();
    if (now - this.askedAt < askEveryMs) return;
    this.askedAt = now;
    let behind = false;
    for (const stream of this.places.keys()) {
      for await (const { name, num_pending, num_ack_pending, delivered } of manager.consumers.list(stream)) {
        const taken = delivered.consumer_seq;
        const key = `${stream} ${name}`;
        const before = this.seen.get(key);
        if (before === undefined || before.taken !== taken) this.seen.set(key, { taken, at: now });
        const still = before !== undefined && before.taken === taken && now - before.at >= stillMs;
        if (!still && num_pending + num_ack_pending > mostBehind) behind = true;
      }
    }
    this.keepingUp = !behind;
  }
}
