import type { JetStreamManager } from '@nats-io/jetstream';
import type { Queryable } from '@parley/runtime';
import type { StreamName } from './event';
import { readLost, type AcknowledgedPlace, type LostEvent, type Published } from './waiting';

/** Maximum lag of a consumer while events are published again, most of which it probably already has. The lag is some tenths of a second of its work. */
const mostBehind = 1_000;
/** A consumer that has made no progress for this long does not delay the others. */
const stillMs = 10_000;
/** Minimum interval between two queries of the consumers. */
const askEveryMs = 50;

const beginning: AcknowledgedPlace = { created: '', seq: '-1' };

/**
 * Selects events that streams have lost, so that they are published again, after the events that were never published. The pace is limited to what consumers
 * can process, so that new events do not wait behind a backlog in the stream.
 */
export class Repeats {
  /** For each stream with lost events: the position up to which they have been published again. */
  private readonly places = new Map<StreamName, AcknowledgedPlace>();
  private readonly seen = new Map<string, { taken: number; at: number }>();
  private askedAt = -Infinity;
  private keepingUp = true;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Records whether a stream has lost events. Returns whether this was not known before. */
  found(stream: StreamName, lost: boolean): boolean {
    if (!lost) this.places.delete(stream);
    if (!lost || this.places.has(stream)) return false;
    this.places.set(stream, beginning);
    return true;
  }

  /** Starts from the beginning again, because more events may have been lost since. */
  restart(): void {
    for (const stream of this.places.keys()) this.places.set(stream, beginning);
  }

  get pending(): boolean {
    return this.places.size > 0;
  }

  /** The next lost events; none while an active consumer lags behind. A stream without further lost events is removed from the list. */
  async next(tx: Queryable, createdOf: (stream: StreamName) => string, limit: number): Promise<LostEvent[]> {
    if (limit <= 0 || !this.keepingUp) return [];
    for (const [stream, place] of this.places) {
      const lost = await readLost(tx, stream, createdOf(stream), place, limit);
      if (lost.length > 0) return lost;
      this.places.delete(stream);
    }
    return [];
  }

  /** Advances the position past the published events. If some were not published, it stops before the first of them. */
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
