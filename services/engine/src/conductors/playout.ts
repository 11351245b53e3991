import type { Line } from '../lines/line';

/** 20 ms at 16,000 samples a second. */
const frameSamples = 320;
const samplesPerMs = 16;
const everyMs = 20;
/** How far the sound that was sent is ahead of what the other end plays. */
const leadMs = 160;
/** A mark that does not come back this long after its sound should have played counts as played. */
const lostMarkMs = 2_000;

interface Queued {
  readonly turn: number;
  readonly samples: Int16Array;
}

/** Sends what the agent says a little ahead of its playing, one turn after the other, and tells when each has played. */
export class Playout {
  private readonly queue: Queued[] = [];
  private current: Queued | undefined;
  private sent = 0;
  private startedMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private marks = 0;
  /** The turn whose mark is on its way. */
  private awaited: { readonly mark: string; readonly turn: number; readonly deadline: NodeJS.Timeout } | undefined;

  constructor(
    private readonly line: Pick<Line, 'send' | 'mark' | 'clear'>,
    private readonly played: (turn: number) => void,
  ) {}

  play(turn: number, samples: Int16Array): void {
    this.queue.push({ turn, samples });
    this.next();
  }

  marked(name: string): void {
    if (this.awaited?.mark === name) this.done(this.awaited.turn);
  }

  /** Falls silent at once, at the other end too. */
  stop(): void {
    const busy = this.current !== undefined || this.awaited !== undefined;
    this.queue.length = 0;
    this.end();
    if (busy) this.line.clear();
  }

  /** Nothing more is sent. */
  end(): void {
    clearInterval(this.timer);
    clearTimeout(this.awaited?.deadline);
    [this.timer, this.current, this.awaited] = [undefined, undefined, undefined];
  }

  private next(): void {
    if (this.current !== undefined || this.awaited !== undefined) return;
    this.current = this.queue.shift();
    if (this.current === undefined) return;
    this.sent = 0;
    this.startedMs = performance.now();
    this.timer = setInterval(() => this.send(), everyMs);
    this.send();
  }

  private send(): void {
    const { current } = this;
    if (current === undefined) return;
    const due = (performance.now() - this.startedMs + leadMs) * samplesPerMs;
    while (this.sent < due && this.sent < current.samples.length) {
      this.line.send(current.samples.subarray(this.sent, this.sent + frameSamples));
      this.sent += frameSamples;
    }
    if (this.sent >= current.samples.length) this.awaitMark(current);
  }

  private awaitMark({ turn, samples }: Queued): void {
    clearInterval(this.timer);
    this.current = undefined;
    this.marks += 1;
    const mark = `played-${this.marks}`;
    const leftMs = samples.length / samplesPerMs - (performance.now() - this.startedMs);
    const deadline = setTimeout(() => this.done(turn), Math.max(0, leftMs) + lostMarkMs);
    this.awaited = { mark, turn, deadline };
    this.line.mark(mark);
  }

  private done(turn: number): void {
    clearTimeout(this.awaited?.deadline);
    this.awaited = undefined;
    this.played(turn);
    this.next();
  }
}
