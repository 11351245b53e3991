import type { SpeechRequest } from '../providers';

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
