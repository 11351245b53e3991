/** More audio than this that waits for its turn is dropped, oldest first. */
const mostMs = 2_000;
/** Audio that arrives at once and is passed on immediately: in time, and after a pause of the line. */
const atOnceMs = 1_000;
const lateAtOnceMs = 200;
/** A line is late if it has delivered this much less than the time that has passed. */
const lateMs = 500;
/** How long a burst is collected, so that its oldest part can be dropped. */
const collectMs = 40;
/** A sender that is this far ahead of the time since the stream began is no longer accepted. */
const mostAheadMs = 10_000;
/** Tolerated clock drift of the other side, as a factor. */
const drift = 1.01;

export interface BacklogOptions {
  readonly sampleRate: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly audio: (samples: Int16Array) => void;
  /** Audio was dropped. */
  readonly dropped: () => void;
}

/**
 * The incoming audio of a line. After a pause of the network or of this process, everything that was said meanwhile arrives at once: only the latest part of it
 * is worth listening to, and memory stays bounded. Neither ends a call; only a sender that is persistently faster than time does.
 */
export class Backlog {
  private readonly begunAt: number;
  private totalMs = 0;
  private unreadMs = 0;
  private unreadAt: number;
  private queue: Int16Array[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: BacklogOptions) {
    this.begunAt = this.unreadAt = options.now();
  }

  /** @returns false if the sender is too far ahead of time */
  take(samples: Int16Array): boolean {
    const now = this.options.now();
    const elapsed = now - this.begunAt;
    const isLate = elapsed - this.totalMs > lateMs;
    this.totalMs += this.msOf(samples);
    if (this.totalMs - elapsed * drift > mostAheadMs) return false;
    this.unreadMs = Math.max(0, this.unreadMs - (now - this.unreadAt)) + this.msOf(samples);
    this.unreadAt = now;
    if (this.queue.length === 0 && this.unreadMs <= (isLate ? lateAtOnceMs : atOnceMs)) this.options.audio(samples);
    else {
      this.queue.push(samples);
      this.timer ??= setTimeout(() => this.flush(), collectMs);
    }
    return true;
  }

  end(): void {
    clearTimeout(this.timer);
    this.queue = [];
  }

  private flush(): void {
    this.timer = undefined;
    const { queue } = this;
    this.queue = [];
    const before = this.unreadMs;
    for (let [first] = queue; first !== undefined && this.unreadMs > mostMs; [first] = queue) {
      queue.shift();
      this.unreadMs -= this.msOf(first);
    }
    if (this.unreadMs < before) this.options.dropped();
    for (const samples of queue) this.options.audio(samples);
  }

  private msOf(samples: Int16Array): number {
    return (samples.length * 1_000) / this.options.sampleRate;
  }
}
