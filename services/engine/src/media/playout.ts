import type { Line } from '../lines/line';
import { Track } from './track';

export interface PlayoutListener {
  /** So many samples of this utterance have played, from its beginning. Speech alone. */
  heard(utterance: string, samples: number): void;
  /** What the line played next, silence included, in order and without gaps. */
  played(samples: Int16Array): void;
}

/** What is sent at a time; speech that does not fill it is filled up with silence. */
export const frameMs = 20;
/** The line is filled up to this much ahead at each step: with a step's grain and lateness, 100 to 160 ms are queued at any moment. */
const leadMs = 140;
const markEveryMs = 100;
/** Frames of one line in one step: a pacer that was late catches up with this much and no more. */
const mostFrames = 8;
/** The clock runs at most this far past a mark that has not come back: a line that stands still plays nothing. */
const trustWithoutMarkMs = 1_000;
/** A mark that is later than this sets the clock; a smaller drift moves it a little. */
const clockJumpMs = 200;
/** Speech that may wait for its time; a voice that is quicker than this has to be asked to wait. */
export const mostWaitingSeconds = 120;
/** What is left of the bed's amplitude under speech: 6 dB less. */
export const duckedTo = 0.5;
/** From one to the other; a step would be heard as a click. */
const duckingMs = 100;

/**
 * What one line plays: speech, effects (phrases over it, sounds) and a bed that never stops, mixed frame by frame. The other end owns the clock;
 * where it has got to is known from marks, and between them from the time. Positions are samples on that clock, from the first step on;
 * what is not filled is silence.
 */
export class Playout {
  /** Played in a loop under everything, more softly under speech. */
  bed: Int16Array | undefined;
  /** Speech and effects go on, unheard. */
  muted = false;
  /** How often the line had played everything although more was to come. */
  ranDry = 0;
  private readonly speech = new Track();
  private readonly effects = new Track();
  private readonly perMs: number;
  private readonly mix: Int32Array;
  /** The audio that was sent last, by position; a power of two longer than what can be ahead or unreported. */
  private readonly recent: Int16Array;
  private bedGain = 1;
  private sent = 0;
  private reported = 0;
  /** Position = time in ms * perMs + offset. */
  private offset: number | undefined;
  private nextMark = 0;
  /** Positions of marks that have not come back. */
  private marks: number[] = [];
  /** Marks from before a clear come back without having played. */
  private generation = 0;
  private expectsMore = false;
  /** Behind the last frame with speech or an effect in it. */
  private soundUntil = -Infinity;

  constructor(
    private readonly line: Pick<Line, 'sampleRate' | 'send' | 'mark' | 'clear'>,
    private readonly listener: PlayoutListener,
  ) {
    this.perMs = line.sampleRate / 1000;
    this.mix = new Int32Array(frameMs * this.perMs);
    this.recent = new Int16Array(4_096 * this.perMs);
  }

  /** Speech, after what is already to be said. Returns false, and takes nothing, where too much waits. */
  say(utterance: string, samples: Int16Array, now: number): boolean {
    if (this.speech.waiting + samples.length > mostWaitingSeconds * this.line.sampleRate) return false;
    this.begin(this.speech, utterance, samples, now, true);
    return true;
  }

  /** A phrase or a sound over whatever is said: the second track. */
  effect(name: string, samples: Int16Array, now: number): boolean {
    if (this.effects.waiting + samples.length > mostWaitingSeconds * this.line.sampleRate) return false;
    // Over speech it waits for its turn: sending that again would be heard.
    this.begin(this.effects, name, samples, now, !this.speech.isBusy);
    return true;
  }

  /** Barge-in: silence but for the bed, at once. */
  stop(now: number): void {
    this.drop(now);
    this.speech.empty();
    this.effects.empty();
    this.fill(now);
  }

  /** Ends the second track: at once, or within what is queued where speech would be sent again for it. */
  stopEffects(now: number): void {
    this.report(now);
    if (this.effects.isBusy && !this.speech.isBusy) this.drop(now);
    this.effects.empty();
    this.fill(now);
  }

  /** Whether speech waits or has not played to its end. */
  isSpeaking(now: number): boolean {
    this.report(now);
    return this.speech.isBusy;
  }

  /** Samples of an utterance that have played, from its beginning. */
  heardOf(utterance: string): number {
    return this.speech.heardOf(utterance);
  }

  /** To be called at every step of the pacer. */
  fill(now: number): void {
    this.report(now);
    const clock = this.clock(now);
    if (clock >= this.sent) {
      if (this.expectsMore && this.hasMore()) this.ranDry += 1;
      this.skipTo(clock);
      this.report(now);
    }
    const until = clock + leadMs * this.perMs;
    for (let frames = 0; frames < mostFrames && this.sent < until && this.hasMore(); frames += 1) this.sendFrame();
    this.expectsMore = this.hasMore();
  }

  /** A mark came back. Marks of others are ignored. */
  marked(name: string, now: number): void {
    const [, generation, position] = /^(\d+):(\d+)$/.exec(name) ?? [];
    if (position === undefined || Number(generation) !== this.generation || this.offset === undefined) return;
    const at = Number(position);
    this.marks = this.marks.filter((mark) => mark > at);
    const ahead = at - now * this.perMs - this.offset;
    // Marks come late by varying times, but never early: a mark that arrives before its estimate is right.
    this.offset += ahead > 0 || ahead < -clockJumpMs * this.perMs ? ahead : ahead * 0.1;
    this.report(now);
  }

  /** How long the oldest mark should have been back by now, in ms; 0 where none is missing. */
  overdueMs(now: number): number {
    const [oldest] = this.marks;
    if (oldest === undefined || this.offset === undefined) return 0;
    return Math.max(0, (now * this.perMs + this.offset - oldest) / this.perMs);
  }

  /** Whether speech or an effect played in the last so many ms: without one there is nothing that could come back. */
  soundedWithin(ms: number, now: number): boolean {
    return this.clock(now) - this.soundUntil < ms * this.perMs;
  }

  /** What the line played, or plays by now, in the time that ends then: for the detector that hears it come back. Silence where nothing is known. */
  audibleUntil(at: number, target: Int16Array): void {
    const end = this.offset === undefined ? 0 : Math.round(at * this.perMs + this.offset);
    const oldest = Math.max(0, this.sent - this.recent.length);
    for (let n = 0; n < target.length; n += 1) {
      const position = end - target.length + n;
      const known = position >= oldest && position < this.sent;
      target[n] = known ? (this.recent[position & (this.recent.length - 1)] as number) : 0;
    }
  }

  private begin(track: Track, utterance: string, samples: Int16Array, now: number, first: boolean): void {
    this.report(now);
    const begins = first && !track.isBusy;
    track.append(utterance, samples);
    if (!begins) return;
    // What is first to be heard does not wait behind what is queued: that is dropped and sent again with this in it.
    if (this.clock(now) < this.sent) this.drop(now);
    this.fill(now);
  }

  private hasMore(): boolean {
    return this.bed !== undefined || this.speech.waiting > 0 || this.effects.waiting > 0;
  }

  private clock(now: number): number {
    this.offset ??= -now * this.perMs;
    const [oldest] = this.marks;
    const trusted = oldest === undefined ? Infinity : oldest + trustWithoutMarkMs * this.perMs;
    return Math.max(this.reported, Math.min(Math.round(now * this.perMs + this.offset), trusted));
  }

  private drop(now: number): void {
    this.report(now);
    const { reported } = this;
    // First: the marks that this brings back are of audio that never played.
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
    // The line is empty: marks that are still to come say nothing about what follows.
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
    const frame = new Int16Array(mix.length);
    for (let n = 0; n < frame.length; n += 1) {
      const sample = mix[n] as number;
      frame[n] = sample > 32_767 ? 32_767 : sample < -32_768 ? -32_768 : sample;
      recent[(sent + n) & (recent.length - 1)] = frame[n] as number;
    }
    this.line.send(frame);
    this.sent += frame.length;
    // What does not fill a period has a mark at its end too: nothing else would say that it played.
    if (this.sent < this.nextMark && this.hasMore()) return;
    this.line.mark(`${this.generation}:${this.sent}`);
    this.marks.push(this.sent);
    this.nextMark = this.sent + markEveryMs * this.perMs;
  }

  /** Tells what has played since the last report. */
  private report(now: number): void {
    const until = Math.min(this.clock(now), Math.max(this.sent, this.reported));
    if (until <= this.reported) return;
    const samples = new Int16Array(until - this.reported);
    const oldest = Math.max(0, this.sent - this.recent.length);
    for (let n = 0; n < samples.length; n += 1) {
      const position = this.reported + n;
      if (position >= oldest) samples[n] = this.recent[position & (this.recent.length - 1)] as number;
    }
    this.reported = until;
    this.effects.played(until);
    for (const utterance of this.speech.played(until)) this.listener.heard(utterance, this.speech.heardOf(utterance));
    this.listener.played(samples);
  }
}
