import type { SampleRate } from './sample-rate';

export interface SynthesizerCapabilities {
  /** Accepts text while more is being written. Otherwise each sentence is a request of its own. */
  readonly streamingText: boolean;
  /** Reports when each word is heard. */
  readonly timestamps: boolean;
}

export interface SynthesisOptions {
  readonly model: string | undefined;
  readonly voiceId: string;
  /** BCP 47 */
  readonly language: string;
  /** Of the requested samples. */
  readonly sampleRate: SampleRate;
  /** The provider's own controls that the catalogue derives from `voice_polish.delivery`. */
  readonly delivery: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A word of the text that was written: `offset` and `length` are in UTF-16 units, times in milliseconds of the stream's audio. */
export interface SpokenWord {
  readonly offset: number;
  readonly length: number;
  readonly startMs: number;
  readonly endMs: number;
}

export type SynthesisEvent =
  | { readonly type: 'audio'; readonly samples: Int16Array }
  | { readonly type: 'words'; readonly words: readonly SpokenWord[] }
  /** All text was synthesized. A stream that ends without this event has failed. */
  | { readonly type: 'done' };

/** One utterance. */
export interface SynthesisStream {
  /** More of the text, in order. */
  write(text: string): void;
  /** No more text follows. */
  end(): void;
  /** @throws ProviderError from the iteration */
  readonly events: AsyncIterable<SynthesisEvent>;
}

/** Text to speech. */
export interface Synthesizer {
  readonly capabilities: SynthesizerCapabilities;
  /** Never throws: errors occur in `events`. An aborted signal ends the stream with `canceled` and closes the socket within 100 ms. */
  open(options: SynthesisOptions, signal: AbortSignal): SynthesisStream;
}
