import { muLawOf } from './mulaw.mts';

export interface PlayoutLine {
  media(audio: Buffer): void;
  mark(name: string): void;
  clear(): void;
}

const perMs = 8;
const frameSamples = 20 * perMs;
/** How far ahead the line is filled at each step of the pacer: 100 to 160 ms are queued at any time. */
const leadSamples = 140 * perMs;
const markEvery = 100 * perMs;
/** Maximum number of frames of a call per step, so that a late pacer catches up at most 100 ms. */
const mostFrames = 8;
/** Sent audio is kept for the recorder until it was played. A power of two, larger than what can be ahead. */
const remembered = 8_192;

/**
 * The playback of one line: speech, mixed with a continuous background ("bed"). The carrier's clock is estimated from its marks, and between marks from the
 * time. Positions are samples since the first one sent.
 */
export class Playout {
  bed: Int16Array | undefined;
  /** How many times the line ran out of audio, as far as the marks show. */
  ranDry = 0;
  private readonly line: PlayoutLine;
  private readonly onPlayed: (audio: Uint8Array) => void;
  private readonly frame = Buffer.alloc(frameSamples);
  private readonly recent = new Uint8Array(remembered);
  private speech: Int16Array[] = [];
  private speechOffset = 0;
  private sent = 0;
  private speechSentUntil = 0;
  /** While the line plays: position in samples = time in ms * 8 + offset. */
  private offset = 0;
  private nextMark = markEvery;
  private recordedUntil = 0;
  /** True if nothing was dropped since the last step, so that an empty line is an underrun. */
  private expectsMore = false;
  /** Incremented by `clear`: marks of earlier generations return without having been played. */
  private generation = 0;

  constructor(line: PlayoutLine, onPlayed: (audio: Uint8Array) => void) {
    this.line = line;
    this.onPlayed = onPlayed;
  }

  /** Whether speech is queued or still playing. */
  isSpeaking(now: number): boolean {
    return this.speech.length > 0 || this.played(now) < this.speechSentUntil;
  }

  say(samples: Int16Array, now: number): void {
    const begins = !this.isSpeaking(now);
    this.speech.push(samples);
    if (!begins) return;
    // The beginning of a reply does not wait for the queued background: the queue is dropped and sent again, mixed with the speech.
    if (this.played(now) < this.sent) this.drop(now);
    this.fill(now);
  }

  /** Stops speech immediately; only the background continues. */
  stop(now: number): void {
    this.speech = [];
    this.speechOffset = 0;
    this.drop(now);
    this.fill(now);
  }

  /** Called at every step of the pacer. */
  fill(now: number): void {
    const played = this.played(now);
    if (played >= this.sent) {
      if (this.bed !== undefined && this.expectsMore) this.ranDry += 1;
      this.offset = this.sent - now * perMs;
    }
    this.expectsMore = true;
    for (let frames = 0; frames < mostFrames && this.sent - played < leadSamples; frames += 1) {
      if (this.bed === undefined && this.speech.length === 0) return;
      this.sendFrame();
    }
  }

  marked(name: string, now: number): void {
    const [generation, position] = name.split(':').map(Number);
    if (generation !== this.generation || position === undefined) return;
    // Marks are late by varying times but never early, so each one corrects the clock only slightly.
    this.offset += (position - now * perMs - this.offset) * 0.1;
    this.record(position);
  }

  private played(now: number): number {
    return Math.min(this.sent, Math.max(this.recordedUntil, Math.round(now * perMs + this.offset)));
  }

  private drop(now: number): void {
    const played = this.played(now);
    this.line.clear();
    this.record(played);
    this.sent = played;
    this.speechSentUntil = Math.min(this.speechSentUntil, played);
    this.nextMark = played + markEvery;
    this.generation += 1;
    this.expectsMore = false;
  }

  private sendFrame(): void {
    const { frame, bed } = this;
    const hadSpeech = this.speech.length > 0;
    let bedAt = bed === undefined ? 0 : this.sent % bed.length;
    for (let n = 0; n < frameSamples; n += 1) {
      let sample = this.nextSpeech();
      if (bed !== undefined) {
        sample += bed[bedAt] as number;
        bedAt = bedAt + 1 === bed.length ? 0 : bedAt + 1;
      }
      const byte = muLawOf(sample);
      frame[n] = byte;
      this.recent[(this.sent + n) % remembered] = byte;
    }
    this.line.media(frame);
    this.sent += frameSamples;
    if (hadSpeech) this.speechSentUntil = this.sent;
    if (this.sent < this.nextMark) return;
    this.line.mark(`${this.generation}:${this.sent}`);
    this.nextMark += markEvery;
  }

  private nextSpeech(): number {
    const [chunk] = this.speech;
    if (chunk === undefined) return 0;
    const sample = chunk[this.speechOffset++] as number;
    if (this.speechOffset === chunk.length) {
      this.speech.shift();
      this.speechOffset = 0;
    }
    return sample;
  }

  private record(until: number): void {
    const from = Math.max(this.recordedUntil, until - remembered);
    if (until <= from) return;
    const audio = new Uint8Array(until - from);
    for (let n = 0; n < audio.length; n += 1) audio[n] = this.recent[(from + n) % remembered] as number;
    this.recordedUntil = until;
    this.onPlayed(audio);
  }
}
