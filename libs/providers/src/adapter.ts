import type { Agent } from 'node:http';
import type { LanguageModel } from './language-model';
import type { Synthesizer } from './synthesizer';
import type { Transcriber } from './transcriber';

/** Timeouts of an adapter in milliseconds, after which a request fails with `stalled`. */
export interface Limits {
  /** For a connection or, over HTTP, the response headers. */
  readonly connectMs: number;
  /** For the first event after the request. */
  readonly firstMs: number;
  /** Between two events. */
  readonly betweenMs: number;
}

/** Longer than a healthy provider needs, and below the deadlines of a call. */
export const usualLimits: Limits = { connectMs: 5_000, firstMs: 15_000, betweenMs: 8_000 };

/** The account for requests to a provider. */
export interface ProviderAccount {
  /** Undefined if the server requires none, such as local ones. */
  readonly apiKey: string | undefined;
  /** Instead of the provider's public URL; without a trailing slash. */
  readonly baseUrl?: string;
  readonly limits?: Partial<Limits>;
  /** Instead of the default fetch: one that vets addresses, for a server named by a customer. */
  readonly fetch?: typeof fetch;
  /** The same for websockets. */
  readonly agent?: Agent;
}

/** The engine's adapter for one provider. Components that are absent are not supported. */
export interface StreamingAdapter {
  /** As in publications. */
  readonly name: string;
  /** Whether requests need a key. */
  readonly requiresKey: boolean;
  /** Whether an account must name the server's URL. */
  readonly requiresBaseUrl?: boolean;
  /** Capabilities may depend on the model. */
  readonly transcriber?: (account: ProviderAccount, model: string | undefined) => Transcriber;
  readonly model?: (account: ProviderAccount) => LanguageModel;
  readonly synthesizer?: (account: ProviderAccount) => Synthesizer;
}

export const limitsOf = ({ limits }: ProviderAccount): Limits => ({ ...usualLimits, ...limits });

/** @param publicUrl of the provider; without a trailing slash */
export const baseUrlOf = ({ baseUrl }: ProviderAccount, publicUrl: string): string =>
  (baseUrl ?? publicUrl).replace(/\/+$/, '');

/**
 * The controls of a voice that a delivery sets, as adapters take them. By the form of the value that the catalogue resolves it to: a factor of the pace, an
 * instruction, or settings of the voice.
 * @param value null or undefined: the voice exposes no control, or none was chosen
 */
export function deliveryControls(
  value: number | string | Readonly<Record<string, unknown>> | null | undefined,
): Readonly<Record<string, unknown>> {
  if (typeof value === 'number') return { speed: value };
  if (typeof value === 'string') return { instruction: value };
  return value ?? {};
}
