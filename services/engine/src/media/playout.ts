import type { Line } from '../lines/line';
import { newSamples } from './samples';
import { Track } from './track';

export interface PlayoutListener {
  /** The number of samples of this utterance played so far, from its beginning. Called only for speech. */
  heard(utterance: string, samples: number): void;
  /** The audio that the line has just played, including silence, in order and without gaps. */
  played(samples: Int16Array): void;
  /** The line returns no marks. From now on the clock alone says what was played. */
  marksLost?(): void;
}

/** The unit of sending. Incomplete speech is padded with silence. */
export const frameMs = 20;
/** How far ahead the line is filled at each step. Because of the granularity and lateness of steps, 100 to 160 ms are queued at any time. */
const leadMs = 140;
const markEveryMs = 100;
/** Maximum number of frames of a line per step, which limits how fast a late pacer catches up. */
const mostFrames = 8;
/** How far the estimated clock may advance beyond a mark that has not returned: a stalled line plays nothing. */
const trustWithoutMarkMs = 1_000;
/** How long playback then waits, in time that this process was running, before it goes on by the clock. */
const marksLostMs = 2_000;
/** Maximum pending marks of a line that returns none. */
const mostMarks = 100;
/** If a mark is later than this, the clock is reset. A smaller deviation is corrected gradually. */
const clockJumpMs = 200;
/** Maximum buffered speech in seconds. A voice that synthesizes faster has to be paused. */
export const mostWaitingSeconds = 120;
/** The factor of the background's amplitude during speech: 6 dB less. */
export const duckedTo = 0.5;
/** Duration of the cross-fade; a step would be audible as a click. */
const duckingMs = 100;

/**
 * The playback of one line. Mixes speech, effects (phrases over it, sounds) and a continuous background ("bed") frame by frame. The clock of the other end is
 * estimated from marks, and between marks from the time. Positions are samples on that clock, counted from the first step; gaps are silence.
 */
export class Playout {
  /** Background sound, played in a loop under everything, and more softly during speech. */
  bed: Int16Array | undefined;
  /** While muted, speech and effects continue without being heard. */
  muted = false;
  /** How often the line ran out of audio in the middle of speech. */
  ranDry = 0;
  private readonly speech = new Track();
  private readonly effects = new Track();
  private readonly perMs: number;
  private readonly mix: Int32Array;
  /** The audio that was sent last, by position. Its length is a power of two and larger than what can be ahead or unreported. */
  private readonly recent: Int16Array;
  private bedGain = 1;
  private sent = 0;
  private reported = 0;
  /** Position = time in ms * perMs + offset. */
  private offset: number | undefined;
  private nextMark = 0;
  /** Positions of pending marks. */
  private marks: number[] = [];
  /** Incremented by `clear`: marks of earlier generations return without having been played. */
  private generation = 0;
  private expectsMore = false;
  private filledAt: number | undefined;
  /** How long playback has waited for a mark. */
  private waitedMs = 0;
  /** The line returns no marks. */
  private byClock = false;
  /** The end of the last frame with speech or an effect. */
  private soundUntil = -Infinity;

  constructor(
    private readonly line: Pick<Line, 'sampleRate' | 'send' | 'mark' | 'clear'> & Partial<Pick<Line, 'isCongested'>>,
    private readonly listener: PlayoutListener,
  ) {
    this.perMs = line.sampleRate / 1000;
    this.mix = new Int32Array(frameMs * this.perMs);
    this.recent = new Int16Array(4_096 * this.perMs);
  }

  /** Appends speech. @returns false if the buffer is full; nothing was appended */
  say(utterance: string, samples: Int16Array, now: number): boolean {
    if (this.speech.waiting + samples.length > mostWaitingSeconds * this.line.sampleRate) return false;
    this.begin(this.speech, utterance, samples, now, true);
    return true;
  }

  /** Plays a phrase or a sound on the second track, mixed with speech. */
  effect(name: string, samples: Int16Array, now: number): boolean {
    if (this.effects.waiting + samples.length > mostWaitingSeconds * this.line.sampleRate) return false;
    // During speech the effect does not clear the queue, because sending the speech again would be audible.
    this.begin(this.effects, name, samples, now, !this.speech.isBusy);
    return true;
  }

  /** Barge-in: stops speech and effects immediately; only the background continues. */
  stop(now: number): void {
    this.drop(now);
    this.speech.empty();
    this.effects.empty();
    this.fill(now);
  }

  /** Stops the second track: immediately, or during speech when the queue has played, because otherwise the speech would have to be sent again. */
  stopEffects(now: number): void {
    this.report(now);
    if (this.effects.isBusy && !this.speech.isBusy) this.drop(now);
    this.effects.empty();
    this.fill(now);
  }

  /** Whether speech is buffered or still playing. */
  isSpeaking(now: number): boolean {
    this.report(now);
    return this.speech.isBusy;
  }

  /** The number of samples of an utterance that were played, from its beginning. */
  heardOf(utterance: string): number {
    return this.speech.heardOf(utterance);
  }

  /** Called at every step of the pacer. */
  fill(now: number): void {
    this.awaitMark(now);
    this.report(now);
    const clock = this.clock(now);
    if (clock >= this.sent) {
      if (this.expectsMore && this.hasMore()) this.ranDry += 1;
      this.skipTo(clock);
      this.report(now);
    }
    const until = clock + leadMs * this.perMs;
    for (let frames = 0; frames < mostFrames && this.sent < until && this.maySend(); frames += 1) this.sendFrame();
    this.expectsMore = this.hasMore();
  }

  /** Called when a mark has returned. Marks of other sources are ignored. */
  marked(name: string, now: number): void {
    const [, generation, position] = /^(\d+):(\d+)$/.exec(name) ?? [];
    if (position === undefined || Number(generation) !== this.generation || this.offset === undefined) return;
    const at = Number(position);
    this.byClock = false;
    this.waitedMs = 0;
    this.marks = this.marks.filter((mark) => mark > at);
    const ahead = at - now * this.perMs - this.offset;
    // Marks return with varying delay but never early, so a mark that arrives before its estimated time is accurate.
    this.offset += ahead > 0 || ahead < -clockJumpMs * this.perMs ? ahead : ahead * 0.1;
    this.report(now);
  }

  /** How overdue the oldest mark is, in ms; 0 if none is. */
  overdueMs(now: number): number {
    const [oldest] = this.marks;
    if (oldest === undefined || this.offset === undefined) return 0;
    return Math.max(0, (now * this.perMs + this.offset - oldest) / this.perMs);
  }

  /** Whether speech or an effect was played in the last `ms` milliseconds; otherwise there can be no echo. */
  soundedWithin(ms: number, now: number): boolean {
    return this.clock(now) - this.soundUntil < ms * this.perMs;
  }

  /** The audio that the line played, or is estimated to play, in a period, for the echo detector. Silence if unknown. */
  audibleUntil(at: number, target: Int16Array): void {
    const { recent, sent } = this;
    const end = this.offset === undefined ? 0 : Math.round(at * this.perMs + this.offset);
    const begin = end - target.length;
    const known = Math.max(0, sent - recent.length);
    const mask = recent.length - 1;
    const from = Math.min(target.length, Math.max(0, known - begin));
    const until = Math.max(from, Math.min(target.length, sent - begin));
    target.fill(0, 0, from).fill(0, until);
    for (let n = from; n < until; n += 1) target[n] = recent[(begin + n) & mask] as number;
  }

  private begin(track: Track, utterance: string, samples: Int16Array, now: number, first: boolean): void {
    this.report(now);
    const begins = first && !track.isBusy;
    track.append(utterance, samples);
    if (!begins) return;
    // The first audio must not wait for the queue: the queue is dropped and sent again, mixed with this audio.
    if (this.clock(now) < this.sent) this.drop(now);
    this.fill(now);
  }

  private hasMore(): boolean {
    return this.bed !== undefined || this.speech.waiting > 0 || this.effects.waiting > 0;
  }

  /** What the other side does not take waits here. */
  private maySend(): boolean {
    return this.hasMore() && this.line.isCongested !== true;
  }

  /** The position up to which the clock is trusted. */
  private get trusted(): number {
    const [oldest] = this.marks;
    return oldest === undefined || this.byClock ? Infinity : oldest + trustWithoutMarkMs * this.perMs;
  }

  /** Playback stands still without marks: if none returns, it goes on where it stands. The time in which this process was suspended does not count. */
  private awaitMark(now: number): void {
    const { offset, trusted } = this;
    const passed = Math.min(now - (this.filledAt ?? now), clockJumpMs);
    this.filledAt = now;
    if (offset === undefined || now * this.perMs + offset <= trusted) return void (this.waitedMs = 0);
    this.waitedMs += passed;
    if (this.waitedMs < marksLostMs) return;
    this.byClock = true;
    this.waitedMs = 0;
    this.offset = trusted - now * this.perMs;
    this.listener.marksLost?.();
  }

  private clock(now: number): number {
    this.offset ??= -now * this.perMs;
    const { trusted } = this;
    return Math.max(this.reported, Math.min(Math.round(now * this.perMs + this.offset), trusted));
  }

  private drop(now: number): void {
    this.report(now);
    const { reported } = this;
    // Incremented first, because the marks that `clear` returns belong to audio that was never played.
    this.generation += 1;
    this.line.clear();
    for (const track of [this.speech, this.effects]) track.takeBack();
    this.sent = Math.min(this.sent, reported);
    this.soundUntil = Math.min(this.soundUntil, this.sent);
    this.marks = [];
    this.nextMark = this.sent + markEveryMs * this.perMs;
    this.expectsMore = false;
  }

  private skipTo(position: number): void {
    // The line has run empty: pending marks say nothing about later audio.
    if (this.marks.length > 0) this.generation += 1;
    this.marks = [];
    const from = Math.max(this.sent, position - this.recent.length);
    for (let at = from; at < position; at += 1) this.recent[at & (this.recent.length - 1)] = 0;
    this.sent = position;
    this.nextMark = position + markEveryMs * this.perMs;
  }

  private mixBed(bed: Int16Array): void {
    const { mix, sent } = this;
    const target = this.speech.waiting > 0 ? duckedTo : 1;
    const step = (1 - duckedTo) / (duckingMs * this.perMs);
    for (let n = 0; n < mix.length; n += 1) {
      this.bedGain += Math.max(-step, Math.min(step, target - this.bedGain));
      mix[n] = Math.round(this.bedGain * (bed[(sent + n) % bed.length] as number));
    }
  }

  private sendFrame(): void {
    const { mix, bed, recent, sent } = this;
    mix.fill(0);
    if (this.speech.waiting > 0 || this.effects.waiting > 0) this.soundUntil = sent + mix.length;
    if (bed !== undefined) this.mixBed(bed);
    const heard = this.muted ? new Int32Array(mix.length) : mix;
    this.speech.mixInto(heard, sent);
    this.effects.mixInto(heard, sent);
    const frame = newSamples(mix.length);
    const mask = recent.length - 1;
    for (let n = 0; n < frame.length; n += 1) {
      const sample = mix[n] as number;
      const limited = sample > 32_767 ? 32_767 : sample < -32_768 ? -32_768 : sample;
      frame[n] = limited;
      recent[(sent + n) & mask] = limited;
    }
    this.line.send(frame);
    this.sent += frame.length;
    // A mark is also sent at the end of an incomplete period; otherwise its playback would never be reported.
    if (this.sent < this.nextMark && this.hasMore()) return;
    this.line.mark(`${this.generation}:${this.sent}`);
    this.marks.push(this.sent);
    if (this.byClock && this.marks.length > mostMarks) this.marks.shift();
    this.nextMark = this.sent + markEveryMs * this.perMs;
  }

  /** Reports what was played since the last report. */
  private report(now: number): void {
    const until = Math.min(this.clock(now), Math.max(this.sent, this.reported));
    if (until <= this.reported) return;
    const { recent, reported } = this;
    const samples = newSamples(until - reported);
    const mask = recent.length - 1;
    const known = Math.max(0, this.sent - recent.length - reported);
    for (let n = known; n < samples.length; n += 1) samples[n] = recent[(reported + n) & mask] as number;
    this.reported = until;
    this.effects.played(until);
    for (const utterance of this.speech.played(until)) this.listener.heard(utterance, this.speech.heardOf(utterance));
    this.listener.played(samples);
  }
}
