/** The window over which the minimum latency is taken. */
const recentMs = 2_000;

interface Arrival {
  readonly at: number;
  readonly latency: number;
}

/**
 * Maps media time (milliseconds of received audio) to call time. A sample's time is the earliest at which it can have been received, by the minimum latency of
 * the last two seconds: delayed bursts keep their original times, and clock drift of the line is followed.
 */
export class MediaTime {
  /** A monotonic queue: latencies increase, so the first one is the minimum. */
  private arrivals: Arrival[] = [];
  private latest = 0;

  /** Audio up to `mediaMs` has arrived by call time `at`. */
  arrived(mediaMs: number, at: number): void {
    const latency = at - mediaMs;
    while ((this.arrivals.at(-1)?.latency ?? -Infinity) >= latency) this.arrivals.pop();
    this.arrivals.push({ at, latency });
    while ((this.arrivals[0] as Arrival).at < at - recentMs) this.arrivals.shift();
  }

  /** The call time of a media time. */
  at(mediaMs: number): number {
    return mediaMs + (this.arrivals[0]?.latency ?? 0);
  }

  /** The same for a watermark, which never decreases. */
  watermark(mediaMs: number): number {
    this.latest = Math.max(this.latest, this.at(mediaMs));
    return this.latest;
  }
}
