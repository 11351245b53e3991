/** The period over which the minimum latency is computed. */
const recentMs = 2_000;

interface Arrival {
  readonly at: number;
  readonly latency: number;
}

/**
 * Converts media time (milliseconds of received audio) to call time. The time of a sample is the earliest time at which it can have been received, computed
 * with the minimum latency of the last two seconds. Audio that arrives late and in a burst keeps its original times, and clock drift of the line is followed.
 */
export class MediaTime {
  /** A monotonic queue: latencies increase from the first to the last, so the first one is the minimum. */
  private arrivals: Arrival[] = [];
  private latest = 0;

  /** Records that audio up to `mediaMs` has arrived by call time `at`. */
  arrived(mediaMs: number, at: number): void {
    const latency = at - mediaMs;
    while ((this.arrivals.at(-1)?.latency ?? -Infinity) >= latency) this.arrivals.pop();
    this.arrivals.push({ at, latency });
    while ((this.arrivals[0] as Arrival).at < at - recentMs) this.arrivals.shift();
  }

  /** Converts a media time to call time. */
  at(mediaMs: number): number {
    return mediaMs + (this.arrivals[0]?.latency ?? 0);
  }

  /** The same for a watermark: the result never decreases. */
  watermark(mediaMs: number): number {
    this.latest = Math.max(this.latest, this.at(mediaMs));
    return this.latest;
  }
}
