import type { DeliveryValue } from '@parley/compilation';
import type { ProviderAccount, Synthesizer } from '@parley/providers';

/** A text to be spoken, with everything about the voice resolved from the catalogue. */
export interface SpeechRequest {
  /** The organization that asks: requests of one do not hold up those of others. */
  readonly owner: string;
  readonly model: string;
  readonly voiceId: string;
  readonly text: string;
  readonly language: string;
  /** What the delivery resolves to for this voice; undefined where it exposes no control or none was asked for. */
  readonly delivery: DeliveryValue | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

/** What speaks offline, without an account. */
export interface OfflineVoice {
  /**
   * RIFF WAVE, 16-bit PCM, one channel.
   * @throws AppError BadRequestError for a text that cannot be spoken; rate_limited; internal_error
   */
  synthesize(request: Omit<SpeechRequest, 'options'>): Promise<Buffer>;
}

/** The adapter of a provider's voices; undefined where there is none. */
export type SynthesizerOf = (provider: string, account: ProviderAccount) => Synthesizer | undefined;
