import type { SampleRate } from './sample-rate';

export interface SynthesizerCapabilities {
  /** Whether text is accepted while more is being written. If not, each sentence is a separate request. */
  readonly streamingText: boolean;
  /** Whether the time of each word is reported. */
  readonly timestamps: boolean;
}

export interface SynthesisOptions {
  readonly model: string | undefined;
  readonly voiceId: string;
  /** BCP 47 */
  readonly language: string;
  /** The sample rate of the requested audio. */
  readonly sampleRate: SampleRate;
  /** The provider's own controls, which the catalogue derives from `voice_polish.delivery`. */
  readonly delivery: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A word of the written text. `offset` and `length` are in UTF-16 units, times in milliseconds of the stream's audio. */
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

/** The synthesis of one utterance. */
export interface SynthesisStream {
  /** Adds more text, in order. */
  write(text: string): void;
  /** Marks the end of the text. */
  end(): void;
  /** @throws ProviderError while iterating */
  readonly events: AsyncIterable<SynthesisEvent>;
}

/** Text to speech. */
export interface Synthesizer {
  readonly capabilities: SynthesizerCapabilities;
  /** Never throws: errors are thrown while iterating over `events`. An aborted signal ends the stream with `canceled` and closes the socket within 100 ms. */
  open(options: SynthesisOptions, signal: AbortSignal): SynthesisStream;
}
