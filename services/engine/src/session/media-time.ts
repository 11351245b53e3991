/** For so long the latency of what arrived counts. */
const recentMs = 2_000;

interface Arrival {
  readonly at: number;
  readonly latency: number;
}

/**
 * Maps media time, which is milliseconds of audio received, onto call time. The moment of a sample is the earliest one at which it can have been received, by the
 * least latency of the last two seconds: audio that comes late and at once keeps its own moments, and a line whose clock runs differently is followed.
 */
export class MediaTime {
  /** Their latencies rise: the first one is the least. */
  private arrivals: Arrival[] = [];
  private latest = 0;

  /** Audio up to `mediaMs` has arrived by call time `at`. */
  arrived(mediaMs: number, at: number): void {
    const latency = at - mediaMs;
    while ((this.arrivals.at(-1)?.latency ?? -Infinity) >= latency) this.arrivals.pop();
    this.arrivals.push({ at, latency });
    while ((this.arrivals[0] as Arrival).at < at - recentMs) this.arrivals.shift();
  }

  /** The call time of a moment of media. */
  at(mediaMs: number): number {
    return mediaMs + (this.arrivals[0]?.latency ?? 0);
  }

  /** The same for a watermark, which never goes back. */
  watermark(mediaMs: number): number {
    this.latest = Math.max(this.latest, this.at(mediaMs));
    return this.latest;
  }
}
