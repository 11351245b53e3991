import type { JetStreamManager } from '@nats-io/jetstream';
import type { Queryable } from '@parley/runtime';
import type { StreamName } from './event';
import { readLost, type AcknowledgedPlace, type LostEvent, type Published } from './waiting';

/** Events that a consumer may be behind while what it most likely has is published again: some tenths of a second of its work. */
const mostBehind = 1_000;
/** A consumer that has taken nothing for so long does not hold the others up. */
const stillMs = 10_000;
/** Consumers are asked at most so often. */
const askEveryMs = 50;

const beginning: AcknowledgedPlace = { created: '', seq: '-1' };

/**
 * What streams lost and is published again, behind everything that was never published: at a pace at which consumers keep up, so that
 * a new event is not behind a backlog in the stream either.
 */
export class Repeats {
  /** By stream that lost something: the place up to which it was published again. */
  private readonly places = new Map<StreamName, AcknowledgedPlace>();
  private readonly seen = new Map<string, { taken: number; at: number }>();
  private askedAt = -Infinity;
  private keepingUp = true;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Takes whether a stream has lost events; returns whether that is news. */
  found(stream: StreamName, lost: boolean): boolean {
    if (!lost) this.places.delete(stream);
    if (!lost || this.places.has(stream)) return false;
    this.places.set(stream, beginning);
    return true;
  }

  /** Looks from the beginning again: more may be lost than was before. */
  restart(): void {
    for (const stream of this.places.keys()) this.places.set(stream, beginning);
  }

  get pending(): boolean {
    return this.places.size > 0;
  }

  /** The next lost events, none while a consumer that works is behind. A stream of which none is left is forgotten. */
  async next(tx: Queryable, createdOf: (stream: StreamName) => string, limit: number): Promise<LostEvent[]> {
    if (limit <= 0 || !this.keepingUp) return [];
    for (const [stream, place] of this.places) {
      const lost = await readLost(tx, stream, createdOf(stream), place, limit);
      if (lost.length > 0) return lost;
      this.places.delete(stream);
    }
    return [];
  }

  /** Goes on behind what was published; where something of it was not, from before it. */
  repeated(lost: readonly LostEvent[], published: readonly Published[]): void {
    const done = new Set(published.map(({ id }) => id));
    for (const { id, stream, stream_created: created, stream_seq: seq } of lost) {
      if (!done.has(id)) return;
      this.places.set(stream, { created, seq });
    }
  }

  /** Asks whether the consumers of streams that lost something keep up. */
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
