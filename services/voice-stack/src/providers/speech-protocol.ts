import type { DeliveryValue } from '@parley/compilation';

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
}

/** One provider's HTTP protocol: how a text is asked for as raw 16-bit PCM of one channel, little-endian, 24,000 samples a second. */
export interface SpeechProtocol {
  /** The provider's public address; without a slash at the end. */
  readonly baseUrl: string;
  request(speech: SpeechRequest, apiKey: string): SpeechHttpRequest;
}

export interface SpeechHttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}
