import type { SampleRate } from './sample-rate';
import type { ProviderError } from './provider-error';

export interface TranscriberCapabilities {
  /** Supports partial results during speech. */
  readonly partials: boolean;
  /** Reports the probability that the caller's turn is over. */
  readonly turnHints: boolean;
  /** `setLanguage` takes effect within an open stream. */
  readonly switchesLanguage: boolean;
  /** Reports the language of what it recognised. */
  readonly detectsLanguage: boolean;
}

export interface TranscriptionOptions {
  readonly model: string | undefined;
  /** BCP 47; the expected language. */
  readonly language: string;
  /** Other languages that the caller may use, if the transcriber can distinguish them. */
  readonly alternatives: readonly string[];
  readonly sampleRate: SampleRate;
  /** Likely words and phrases. */
  readonly phrases: readonly string[];
  /** The component's own options, validated by the catalogue. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * What a transcriber reports. Times are milliseconds of the audio that was written to the stream. A segment's partials come before its only final, and
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
  /** `finished` is a probability from 0 to 1 that the caller has nothing to add. */
  | { readonly type: 'turn_hint'; readonly finished: number }
  /** The last event of a stream that failed. */
  | { readonly type: 'failed'; readonly error: ProviderError };

/** Recognition for one call, open as long as the call. */
export interface TranscriptionStream {
  /** Audio of the caller in order, without gaps. Any length up to 1 s. */
  write(samples: Int16Array): void;
  /** The voice activity detector reports the end of speech: requests a final result for everything written so far. */
  finalize(): void;
  setLanguage(language: string): void;
  /** Ends the stream; no event follows, and the socket closes within 100 ms. */
  close(): void;
}

/** Speech to text. */
export interface Transcriber {
  readonly capabilities: TranscriberCapabilities;
  /** Never throws: errors are events. An aborted signal closes the stream. */
  open(
    options: TranscriptionOptions,
    onEvent: (event: TranscriptionEvent) => void,
    signal: AbortSignal,
  ): TranscriptionStream;
}
