import type { LineEnd } from '../src/lines/line';
import type { MediaListener, MediaStream } from '../src/media/media-stream';
import type { SpeechChange } from '../src/media/speech-detector';

/** Audio shortly before speech was detected belongs to the speech. */
const leadInMs = 100;
/** Maximum audio that is kept. Of longer speech only the end is repeated. */
const mostKeptMs = 30_000;
/** Audio that is kept during silence. Speech is detected only after its windows were analyzed, and up to 2 s of them may be pending. */
const keptBeforeMs = 3_000;

/** What the agent reports in addition to repeating. */
export interface AgentReports {
  pressed?(digits: string): void;
  ended?(end: LineEnd): void;
}

/**
 * An echo test: plays the caller's speech back after each turn, and stops if it is interrupted. It shows the behavior of the line alone, without transcriber,
 * model and voice.
 */
export class RepeatingAgent implements MediaListener {
  private stream: MediaStream | undefined;
  private kept: Int16Array[] = [];
  private keptSamples = 0;
  /** The number of samples dropped before the kept ones. */
  private dropped = 0;
  private utterances = 0;

  constructor(
    private readonly now: () => number,
    private readonly reports: AgentReports = {},
  ) {}

  /** The stream whose audio this repeats. */
  attach(stream: MediaStream): void {
    this.stream = stream;
  }

  audio(samples: Int16Array): void {
    this.kept.push(samples);
    this.keptSamples += samples.length;
    const most = (this.stream?.callerSpeaks === true ? mostKeptMs : keptBeforeMs) * this.perMs();
    while (this.keptSamples > most) {
      const count = this.kept.shift()?.length ?? 0;
      this.dropped += count;
      this.keptSamples -= count;
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
    stream.playout.say(`repeated-${this.utterances}`, all.slice(from, until), this.now());
  }

  music(): void {
    // Music is not speech, so it is not repeated.
  }

  tone(): void {
    // A mailbox tone has no effect here.
  }

  pressed(digits: string): void {
    this.reports.pressed?.(digits);
  }

  typed(): void {
    // A line with such an agent has audio and no typed turns.
  }

  heard(): void {
    // Playback progress is not needed here.
  }

  judged(): void {
    // The speech is repeated after it has ended.
  }

  ended(end: LineEnd): void {
    this.reports.ended?.(end);
  }

  private perMs(): number {
    return (this.stream?.line.sampleRate ?? 8_000) / 1000;
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
