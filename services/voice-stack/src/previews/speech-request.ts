import type { DeliveryValue } from '@parley/compilation';
import type { ProviderAccount, Synthesizer } from '@parley/providers';

/** A text to synthesize, with the voice's parameters from the catalogue. */
export interface SpeechRequest {
  /** The requesting organization. Requests of one owner must not delay those of others. */
  readonly owner: string;
  readonly model: string;
  readonly voiceId: string;
  readonly text: string;
  readonly language: string;
  /** The value of the voice's control for the requested delivery; undefined if the voice has no such control or no delivery was requested. */
  readonly delivery: DeliveryValue | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Synthesizes speech offline, without an account. */
export interface OfflineVoice {
  /**
   * Returns RIFF WAVE, 16-bit PCM, one channel.
   * @throws AppError BadRequestError for a text that cannot be synthesized; rate_limited; internal_error
   */
  synthesize(request: Omit<SpeechRequest, 'options'>): Promise<Buffer>;
}

/** Returns the adapter for a provider's voices; undefined if there is none. */
export type SynthesizerOf = (provider: string, account: ProviderAccount) => Synthesizer | undefined;
