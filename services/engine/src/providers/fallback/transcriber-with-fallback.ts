import {
  ProviderError,
  type Transcriber,
  type TranscriptionEvent,
  type TranscriptionOptions,
  TranscriptionReport,
  type TranscriptionStream,
} from '@parley/providers';
import { circuitOf, failureOf, usable, type Candidate, type FallbackOptions } from './candidate';

/** Maximum audio without a final result that is passed to the next transcriber, measured from its end. */
const mostKeptMs = 30_000;

/** If a final result ends this close to a requested end, it is considered the result of that request. */
const sameEndMs = 100;

/** A transcriber of the call, with the settings of its component. */
export interface CallTranscriber {
  readonly transcriber: Transcriber;
  readonly own: Partial<Pick<TranscriptionOptions, 'model' | 'options'>>;
}

/** A transcriber with ordered fallbacks. The next one gets the audio for which the failed one returned no final result, and no word is reported twice. */
export function transcriberWithFallback(
  candidates: readonly Candidate<CallTranscriber>[],
  options: FallbackOptions,
): Transcriber {
  const all = (able: (transcriber: Transcriber) => boolean): boolean =>
    candidates.every(({ component }) => able(component.transcriber));
  return {
    capabilities: {
      partials: all(({ capabilities }) => capabilities.partials),
      turnHints: all(({ capabilities }) => capabilities.turnHints),
      switchesLanguage: all(({ capabilities }) => capabilities.switchesLanguage),
      detectsLanguage: all(({ capabilities }) => capabilities.detectsLanguage),
    },
    open: (wanted, onEvent, signal) => new Listening(usable(candidates, options), options, wanted, onEvent, signal),
  };
}

class Listening implements TranscriptionStream {
  private readonly report: TranscriptionReport;
  private current: TranscriptionStream | undefined;
  private at = 0;
  private language: string | undefined;
  /** Audio without a final result. `keptFrom` and `written` are positions in samples of the call. */
  private kept: Int16Array[] = [];
  private keptFrom = 0;
  private written = 0;
  /** Positions at which segment ends were requested, in samples. */
  private asked: number[] = [];
  private nextSegment = 0;

  constructor(
    private readonly candidates: readonly Candidate<CallTranscriber>[],
    private readonly options: FallbackOptions,
    private readonly wanted: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
    private readonly signal: AbortSignal,
  ) {
    this.report = new TranscriptionReport(onEvent);
    this.start();
  }

  write(samples: Int16Array): void {
    if (this.report.isOver) return;
    this.kept.push(samples.slice());
    this.written += samples.length;
    this.forgetUntil(this.written - (mostKeptMs * this.wanted.sampleRate) / 1000);
    this.current?.write(samples);
  }

  finalize(): void {
    if (this.report.isOver) return;
    this.asked.push(this.written);
    this.current?.finalize();
  }

  setLanguage(language: string): void {
    this.language = language;
    this.current?.setLanguage(language);
  }

  close(): void {
    this.report.close();
    this.current?.close();
  }

  private start(): void {
    const candidate = this.candidates[this.at];
    if (candidate === undefined)
      return this.report.failed(new ProviderError('none', 'unavailable', 'no transcriber can be used'));
    const { transcriber, own } = candidate.component;
    const base = this.nextSegment;
    const from = this.keptFrom;
    this.options.breakers.asked(circuitOf(candidate));
    const onEvent = (event: TranscriptionEvent): void => this.take(candidate, event, base, from);
    const language = this.language ?? this.wanted.language;
    const stream = transcriber.open({ ...this.wanted, language, ...own }, onEvent, this.signal);
    this.current = stream;
    // Ends of segments that are still pending are requested again, each at its position.
    let written = this.keptFrom;
    const ends = this.asked.filter((end) => end >= written);
    for (const piece of this.kept) {
      stream.write(piece);
      written += piece.length;
      while (ends[0] !== undefined && ends[0] <= written) {
        ends.shift();
        stream.finalize();
      }
    }
    if (ends.length > 0) stream.finalize();
  }

  private take(candidate: Candidate<unknown>, event: TranscriptionEvent, base: number, from: number): void {
    const { breakers, kind, onIncident } = this.options;
    if (event.type === 'failed') {
      if (this.candidates[this.at] !== candidate) return;
      breakers.failed(circuitOf(candidate), event.error);
      if (!event.error.mayFallBack) return this.report.event(event);
      const next = this.candidates[this.at + 1];
      onIncident(failureOf(kind, event.error, next?.provider));
      if (next === undefined) return this.report.event(event);
      this.at += 1;
      this.start();
      return;
    }
    if (event.type === 'turn_hint') return this.report.event(event);
    breakers.succeeded(circuitOf(candidate));
    const segment = base + event.segment;
    if (event.type === 'partial') return this.report.event({ ...event, segment });
    this.nextSegment = segment + 1;
    const perMs = this.wanted.sampleRate / 1000;
    const end = event.endMs === undefined ? this.asked.shift() : from + Math.round(event.endMs * perMs);
    if (end !== undefined) {
      this.asked = this.asked.filter((one) => one > end + sameEndMs * perMs);
      this.forgetUntil(end);
    }
    const shift = Math.round(from / perMs);
    this.report.event({
      ...event,
      segment,
      ...(event.startMs !== undefined && { startMs: event.startMs + shift }),
      ...(event.endMs !== undefined && { endMs: event.endMs + shift }),
    });
  }

  private forgetUntil(sample: number): void {
    for (let [first] = this.kept; first !== undefined && this.keptFrom + first.length <= sample; [first] = this.kept) {
      this.kept.shift();
      this.keptFrom += first.length;
    }
    this.asked = this.asked.filter((end) => end >= this.keptFrom);
  }
}
