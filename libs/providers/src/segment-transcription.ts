import { canceled } from './failures';
import { ProviderError } from './provider-error';
import type { TranscriptionEvent, TranscriptionOptions, TranscriptionStream } from './transcriber';
import { TranscriptionReport } from './transcription-report';

/** Of a longer segment, only this much of its end is recognized. */
const longestSegmentMs = 60_000;
/** Maximum of segments that wait for their result at the same time; with more, the provider counts as failed. */
const mostWaiting = 8;

/** Recognizes a segment. @throws ProviderError */
export type RecognizeSegment = (samples: Int16Array, language: string, signal: AbortSignal) => Promise<string>;

/** A stream for a transcriber that accepts only complete recordings: each `finalize` ends a segment, which is then sent. */
export class SegmentTranscription implements TranscriptionStream {
  private readonly report: TranscriptionReport;
  private readonly controller = new AbortController();
  private pieces: Int16Array[] = [];
  private kept = 0;
  private written = 0;
  private segment = 0;
  private waiting = 0;
  private language: string;
  /** Segments are reported in their order, no matter how long each takes. */
  private last: Promise<void> = Promise.resolve();
  private readonly aborted = (): void => this.fail(canceled(this.provider));

  constructor(
    private readonly provider: string,
    private readonly recognize: RecognizeSegment,
    private readonly options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
    private readonly signal: AbortSignal,
  ) {
    this.report = new TranscriptionReport(onEvent);
    this.language = options.language;
    if (signal.aborted) queueMicrotask(this.aborted);
    else signal.addEventListener('abort', this.aborted, { once: true });
  }

  write(samples: Int16Array): void {
    if (this.report.isOver || samples.length === 0) return;
    this.pieces.push(samples.slice());
    this.kept += samples.length;
    this.written += samples.length;
    const most = (longestSegmentMs * this.options.sampleRate) / 1000;
    for (let [first] = this.pieces; first !== undefined && this.kept - first.length >= most; [first] = this.pieces) {
      this.pieces.shift();
      this.kept -= first.length;
    }
  }

  finalize(): void {
    if (this.report.isOver) return;
    const samples = joined(this.pieces, this.kept);
    this.pieces = [];
    this.kept = 0;
    const segment = this.segment++;
    const perMs = this.options.sampleRate / 1000;
    const endMs = Math.round(this.written / perMs);
    const times = { startMs: endMs - Math.round(samples.length / perMs), endMs };
    if (++this.waiting > mostWaiting)
      return this.fail(new ProviderError(this.provider, 'stalled', 'is too far behind with segments'));
    const words =
      samples.length === 0 ? Promise.resolve('') : this.recognize(samples, this.language, this.controller.signal);
    // The rejection is handled below, in the order of the segments.
    words.catch(() => {});
    this.last = this.last
      .then(() => words)
      .then(
        (text) => {
          this.waiting -= 1;
          this.report.event({ type: 'final', segment, text, ...times });
        },
        (error: unknown) =>
          this.fail(
            error instanceof ProviderError
              ? error
              : new ProviderError(this.provider, 'unavailable', 'failed to transcribe'),
          ),
      );
  }

  setLanguage(language: string): void {
    this.language = language;
  }

  close(): void {
    this.report.close();
    this.release();
  }

  private fail(error: ProviderError): void {
    this.release();
    this.report.failed(error);
  }

  private release(): void {
    this.signal.removeEventListener('abort', this.aborted);
    this.controller.abort();
    this.pieces = [];
  }
}

function joined(pieces: readonly Int16Array[], length: number): Int16Array {
  const all = new Int16Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
