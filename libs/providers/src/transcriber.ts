import type { SampleRate } from './sample-rate';
import type { ProviderError } from './provider-error';

export interface TranscriberCapabilities {
  /** Whether partial results are reported during speech. */
  readonly partials: boolean;
  /** Whether the probability that the caller's turn is over is reported. */
  readonly turnHints: boolean;
  /** Whether `setLanguage` takes effect within an open stream. */
  readonly switchesLanguage: boolean;
  /** Whether the language of the recognized speech is reported. */
  readonly detectsLanguage: boolean;
}

export interface TranscriptionOptions {
  readonly model: string | undefined;
  /** The expected language (BCP 47). */
  readonly language: string;
  /** Other languages that the caller may use, if the transcriber can distinguish them. */
  readonly alternatives: readonly string[];
  readonly sampleRate: SampleRate;
  /** Words and phrases that are likely to occur. */
  readonly phrases: readonly string[];
  /** The component's own options, validated by the catalogue. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * The events of a transcriber. Times are milliseconds of the audio written to the stream. A segment's partial results come before its only final result, and
 * segments end in the order in which they began.
 */
export type TranscriptionEvent =
  | { readonly type: 'partial'; readonly segment: number; readonly text: string }
  | {
      readonly type: 'final';
      readonly segment: number;
      /** Empty: no words were recognized in the segment. */
      readonly text: string;
      readonly language?: string;
      readonly startMs?: number;
      readonly endMs?: number;
    }
  /** `finished` is the probability, from 0 to 1, that the caller has finished. */
  | { readonly type: 'turn_hint'; readonly finished: number }
  /** The last event of a stream that failed. */
  | { readonly type: 'failed'; readonly error: ProviderError };

/** The recognition for one call, open for the duration of the call. */
export interface TranscriptionStream {
  /** Adds audio of the caller, in order and without gaps. Any duration up to 1 s. */
  write(samples: Int16Array): void;
  /** Called when the voice activity detector reports the end of speech: requests a final result for everything written so far. */
  finalize(): void;
  setLanguage(language: string): void;
  /** Ends the stream; no event follows, and the socket closes within 100 ms. */
  close(): void;
}

/** Speech to text. */
export interface Transcriber {
  readonly capabilities: TranscriberCapabilities;
  /** Never throws: errors are reported as events. An aborted signal closes the stream. */
  open(
    options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
    signal: AbortSignal,
  ): TranscriptionStream;
}
