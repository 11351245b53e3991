import type { LineEnd } from '../lines/line';
import type { MediaListener, MediaStream } from '../media/media-stream';
import type { SpeechChange } from '../media/speech-detector';

/** What was heard before the speech is known to have begun belongs to it. */
const leadInMs = 100;
/** Of what is heard, so much is kept: longer speech is repeated from there. */
const mostKeptMs = 30_000;
/** Kept while nothing is said: speech is known of when its windows were judged, and those of 2 s may wait. */
const keptBeforeMs = 3_000;

/** What a parrot has to report, besides repeating. */
export interface ParrotReports {
  pressed?(digits: string): void;
  ended?(end: LineEnd): void;
}

/**
 * Plays what the caller said back to the caller after each turn: an echo test, and stops when interrupted. In place of an agent it shows what the line alone does: no
 * transcriber, no model and no voice take part.
 */
export class Parrot implements MediaListener {
  private stream: MediaStream | undefined;
  private kept: Int16Array[] = [];
  /** Samples that came before those kept. */
  private dropped = 0;
  private utterances = 0;

  constructor(
    private readonly now: () => number,
    private readonly reports: ParrotReports = {},
  ) {}

  /** The stream whose listener this is. */
  attach(stream: MediaStream): void {
    this.stream = stream;
  }

  audio(samples: Int16Array): void {
    this.kept.push(samples);
    const perMs = this.perMs();
    const most = this.stream?.callerSpeaks === true ? mostKeptMs : keptBeforeMs;
    for (let total = this.keptSamples(); total > most * perMs;) {
      const first = this.kept.shift();
      this.dropped += first?.length ?? 0;
      total -= first?.length ?? 0;
    }
  }

  speech(change: SpeechChange): void {
    const { stream } = this;
    if (stream === undefined) return;
    if (change.type === 'speech_started') return stream.playout.stop(this.now());
    const perMs = this.perMs();
    const all = joined(this.kept);
    const from = Math.max(0, Math.floor((change.since - leadInMs) * perMs) - this.dropped);
    const until = Math.min(all.length, Math.ceil(change.lastVoice * perMs) - this.dropped);
    if (until <= from) return;
    this.utterances += 1;
    stream.playout.say(`parrot-${this.utterances}`, all.slice(from, until), this.now());
  }

  music(): void {
    // Not repeated: it is no speech.
  }

  beep(): void {
    // Nothing follows a mailbox's tone here.
  }

  pressed(digits: string): void {
    this.reports.pressed?.(digits);
  }

  typed(): void {
    // A line that is measured with a parrot has sound.
  }

  heard(): void {
    // What was heard of it is the business of the part that asked for it.
  }

  judged(): void {
    // It repeats what was said once that has ended.
  }

  ended(end: LineEnd): void {
    this.reports.ended?.(end);
  }

  private perMs(): number {
    return (this.stream?.line.sampleRate ?? 8_000) / 1000;
  }

  private keptSamples(): number {
    return this.kept.reduce((total, { length }) => total + length, 0);
  }
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
