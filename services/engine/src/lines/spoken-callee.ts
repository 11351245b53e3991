import type { CalleeAct } from './callee-scripts';
import type { ConnectedLine } from './connected-line';
import type { LineEnd, LineListener } from './line';

/** Wide-band, as in a browser: offline recognition needs it. */
export const sampleRate = 16_000;
const frameMs = 20;
const frameSamples = (frameMs * sampleRate) / 1000;
/** The agent speaks while its line carries samples above this level. */
const voiceLevel = 400;
/** Pauses between the agent's sentences are shorter. */
const turnEndMs = 800;
/** How long the callee waits for an answer: recognition and synthesis take longer than on a line of text. */
const patienceMs = 30_000;
/** How long the agent has spoken when the callee interrupts it. */
const interruptAfterMs = 1_000;
const beepHertz = 1_000;
const beepMs = 400;
const beepLevel = 8_000;

export interface SpokenCalleeOptions {
  readonly script: readonly CalleeAct[];
  /** Synthesizes a turn of the callee with the sample rate of the line. */
  readonly synthesize: (text: string) => Promise<Int16Array>;
  /** Sound of the place where the callee is, played in a loop under its voice; undefined: silence. */
  readonly bed: Int16Array | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/**
 * A line with sound to a callee in this process, which does what its script says. It plays the agent's sound by its own clock, as the other end of a line does,
 * and listens to its level alone: it hears whether the agent speaks, not what.
 */
export class SpokenCallee implements ConnectedLine {
  readonly sampleRate = sampleRate;
  readonly shows = false;
  readonly cannot = new Set(['press', 'transfer'] as const);
  readonly bufferedBytes = 0;
  readonly isCongested = false;
  /** What the callee could not do. */
  readonly problems: string[] = [];
  private listener: LineListener | undefined;
  private over = false;
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;
  private frames = 0;
  private outgoing: Int16Array[] = [];
  private marks: { readonly name: string; readonly at: number }[] = [];
  /** When everything received so far has been played. */
  private playedAt = 0;
  /** When the last voice received so far has been played. */
  private voicedUntil = -Infinity;
  /** When the callee last finished speaking. */
  private saidAt = -Infinity;
  private waiting: { readonly met: (now: number) => boolean; readonly resolve: () => void } | undefined;

  constructor(private readonly options: SpokenCalleeOptions) {}

  listen(listener: LineListener): void {
    this.listener = listener;
    if (this.over) return listener.ended('hung_up_there');
    this.startedAt = this.options.now();
    this.timer = setInterval(() => this.step(), frameMs);
    this.perform(this.options.script).catch((error: unknown) => {
      this.problems.push(`the caller could not continue: ${String(error)}`);
      this.leave('hung_up_there');
    });
  }

  send(samples: Int16Array): void {
    const from = Math.max(this.options.now(), this.playedAt);
    this.playedAt = from + (samples.length * 1000) / sampleRate;
    if (samples.some((sample) => Math.abs(sample) > voiceLevel)) this.voicedUntil = this.playedAt;
  }

  mark(name: string): void {
    this.marks.push({ name, at: Math.max(this.options.now(), this.playedAt) });
  }

  clear(): void {
    const now = this.options.now();
    this.marks = this.marks.map(({ name }) => ({ name, at: now }));
    this.playedAt = Math.min(this.playedAt, now);
    this.voicedUntil = Math.min(this.voicedUntil, now);
  }

  notice(): void {}

  hangUp(): void {
    this.leave('hung_up_here');
  }

  finish(): void {
    this.leave('hung_up_here');
  }

  /** Ends the line as if the callee had hung up. */
  giveUp(): void {
    this.leave('hung_up_there');
  }

  private leave(end: LineEnd): void {
    if (this.over) return;
    this.over = true;
    clearInterval(this.timer);
    this.listener?.ended(end);
  }

  private step(): void {
    const now = this.options.now();
    const due = this.marks.filter(({ at }) => at <= now);
    this.marks = this.marks.filter(({ at }) => at > now);
    for (const { name } of due) this.listener?.marked(name);
    for (; !this.over && this.startedAt + this.frames * frameMs <= now; this.frames += 1)
      this.listener?.audio(this.frame());
    if (this.waiting?.met(now) !== true) return;
    const { resolve } = this.waiting;
    this.waiting = undefined;
    resolve();
  }

  /** The next 20 ms of the callee's sound. */
  private frame(): Int16Array {
    const { bed } = this.options;
    const from = this.frames * frameSamples;
    const frame = Int16Array.from({ length: frameSamples }, (_, n) => bed?.[(from + n) % bed.length] ?? 0);
    for (let at = 0; at < frameSamples && this.outgoing.length > 0;) {
      const [first] = this.outgoing as [Int16Array];
      const piece = first.subarray(0, frameSamples - at);
      piece.forEach((sample, n) => {
        frame[at + n] = Math.max(-32_768, Math.min(32_767, (frame[at + n] ?? 0) + sample));
      });
      at += piece.length;
      if (piece.length === first.length) this.outgoing.shift();
      else this.outgoing[0] = first.subarray(piece.length);
    }
    return frame;
  }

  /** Never resolves if the line ends before the condition is met. */
  private until(met: (now: number) => boolean): Promise<void> {
    return new Promise((resolve) => (this.waiting = { met, resolve }));
  }

  private agentSpeaks(now: number): boolean {
    return now < this.voicedUntil + turnEndMs;
  }

  private async perform(script: readonly CalleeAct[]): Promise<void> {
    for (const act of script) {
      if (act.act === 'ask') return this.perform(await act.next());
      await this.act(act);
    }
  }

  private async act(act: Exclude<CalleeAct, { act: 'ask' }>): Promise<void> {
    switch (act.act) {
      case 'answer':
        // The line is connected before this callee is listened to.
        return;
      case 'wait': {
        if (act.toInterrupt !== true) return this.pause(act.ms);
        await this.agentAnswers();
        return this.pause(interruptAfterMs);
      }
      case 'music':
        return this.pause(act.ms);
      case 'say':
        return this.say(act.text, act.waitsForTurn);
      case 'listen':
        await this.agentAnswers();
        return this.until((now) => !this.agentSpeaks(now));
      case 'beep':
        return this.sound(beep);
      case 'fail':
      case 'hang_up':
        return this.leave('hung_up_there');
    }
  }

  /** Waits until the agent has begun to speak after the callee's turn, or for as long as the callee has patience. */
  private agentAnswers(): Promise<void> {
    const patience = this.options.now() + patienceMs;
    return this.until((now) => this.voicedUntil > this.saidAt || now >= patience);
  }

  private pause(ms: number): Promise<void> {
    const end = this.options.now() + ms;
    return this.until((now) => now >= end);
  }

  private async say(text: string, waitsForTurn: boolean): Promise<void> {
    const samples = await this.options.synthesize(text).catch((error: unknown) => {
      this.problems.push(`the caller could not say "${text}": ${String(error)}`);
      return new Int16Array();
    });
    if (waitsForTurn) await this.until((now) => !this.agentSpeaks(now));
    await this.sound(samples);
    this.saidAt = this.options.now();
  }

  private sound(samples: Int16Array): Promise<void> {
    this.outgoing.push(samples);
    return this.until(() => this.outgoing.length === 0);
  }
}

/** The record tone of a mailbox. */
const beep = Int16Array.from({ length: (beepMs * sampleRate) / 1000 }, (_, n) =>
  Math.round(beepLevel * Math.sin((2 * Math.PI * beepHertz * n) / sampleRate)),
);
