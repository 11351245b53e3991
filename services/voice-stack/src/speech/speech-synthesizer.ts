import type { DeliveryValue } from '@parley/compilation';

/** A text to be spoken, with everything about the voice resolved from the catalogue. */
export interface SpeechRequest {
  readonly model: string;
  readonly voiceId: string;
  readonly text: string;
  readonly language: string;
  /** What the delivery resolves to for this voice; undefined where it exposes no control or none was asked for. */
  readonly delivery: DeliveryValue | undefined;
}

/** One provider's voices. What synthesizes for a provider is an adapter behind this. */
export interface SpeechSynthesizer {
  /**
   * RIFF WAVE, 16-bit PCM, one channel.
   * @throws AppError BadRequestError for a text that cannot be spoken; rate_limited; internal_error
   */
  synthesize(request: SpeechRequest): Promise<Buffer>;
}

/** By provider. */
export type Synthesizers = ReadonlyMap<string, SpeechSynthesizer>;
