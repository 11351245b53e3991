import type { Agent } from 'node:http';
import type { LanguageModel } from './language-model';
import type { Synthesizer } from './synthesizer';
import type { Transcriber } from './transcriber';

/** Timeouts of an adapter in milliseconds; when one is exceeded, the request fails with `stalled`. */
export interface Limits {
  /** Timeout for the connection or, over HTTP, for the response headers. */
  readonly connectMs: number;
  /** Timeout from the request to the first event. */
  readonly firstMs: number;
  /** Timeout between two events. */
  readonly betweenMs: number;
}

/** The default timeouts: longer than a healthy provider needs, and below the deadlines of a call. */
export const usualLimits: Limits = { connectMs: 5_000, firstMs: 15_000, betweenMs: 8_000 };

/** The account with which requests to a provider are sent. */
export interface ProviderAccount {
  /** Undefined if the server requires no key, as local servers often do. */
  readonly apiKey: string | undefined;
  /** Used instead of the provider's public URL; without a trailing slash. */
  readonly baseUrl?: string;
  readonly limits?: Partial<Limits>;
  /** Used instead of the default fetch: one that checks addresses, for a server specified by a customer. */
  readonly fetch?: typeof fetch;
  /** Used instead of the default agent for WebSockets, for the same reason. */
  readonly agent?: Agent;
}

/** The engine's adapter for one provider. Kinds of components that are absent are not supported. */
export interface StreamingAdapter {
  /** The provider's name as in publications. */
  readonly name: string;
  /** Whether requests need a key. */
  readonly requiresKey: boolean;
  /** Whether an account must specify the server's URL. */
  readonly requiresBaseUrl?: boolean;
  /** The transcriber for an account; its capabilities may depend on the model. */
  readonly transcriber?: (account: ProviderAccount, model: string | undefined) => Transcriber;
  readonly model?: (account: ProviderAccount) => LanguageModel;
  readonly synthesizer?: (account: ProviderAccount) => Synthesizer;
}

export const limitsOf = ({ limits }: ProviderAccount): Limits => ({ ...usualLimits, ...limits });

/** @param publicUrl the provider's public URL, used if the account specifies none */
export const baseUrlOf = ({ baseUrl }: ProviderAccount, publicUrl: string): string =>
  (baseUrl ?? publicUrl).replace(/\/+$/, '');

/**
 * The controls of a voice that a delivery sets, in the form that adapters expect. The type of the catalogue's value determines the control: a number is a
 * factor of the speed, a string is an instruction, an object contains settings of the voice.
 * @param value null or undefined if the voice has no control, or no delivery was chosen
 */
export function deliveryControls(
  value: number | string | Readonly<Record<string, unknown>> | null | undefined,
): Readonly<Record<string, unknown>> {
  if (typeof value === 'number') return { speed: value };
  if (typeof value === 'string') return { instruction: value };
  return value ?? {};
}
