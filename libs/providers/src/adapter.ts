import type { Agent } from 'node:http';
import type { LanguageModel } from './language-model';
import type { Synthesizer } from './synthesizer';
import type { Transcriber } from './transcriber';

/** How long an adapter waits, in milliseconds, before a request has failed with `stalled`. */
export interface Limits {
  /** For a connection or, over HTTP, the head of an answer. */
  readonly connectMs: number;
  /** For the first event after the request. */
  readonly firstMs: number;
  /** Between two events. */
  readonly betweenMs: number;
}

/** Beyond what a healthy provider needs, and below the deadlines of a call. */
export const usualLimits: Limits = { connectMs: 5_000, firstMs: 15_000, betweenMs: 8_000 };

/** What requests to a provider are made with. */
export interface ProviderAccount {
  /** Undefined where the server asks for none, as local ones do. */
  readonly apiKey: string | undefined;
  /** In place of the provider's public address; without a slash at the end. */
  readonly baseUrl?: string;
  readonly limits?: Partial<Limits>;
  /** In place of the usual way to make HTTP requests: one that vets addresses, for a server that a customer names. */
  readonly fetch?: typeof fetch;
  /** The same for websockets. */
  readonly agent?: Agent;
}

/** What the engine has of one provider. A component that is left out cannot be run. */
export interface StreamingAdapter {
  /** As publications name it. */
  readonly name: string;
  /** Whether requests need a key. */
  readonly requiresKey: boolean;
  /** Whether an account must name the server. */
  readonly requiresBaseUrl?: boolean;
  /** Capabilities may depend on the model. */
  readonly transcriber?: (account: ProviderAccount, model: string | undefined) => Transcriber;
  readonly model?: (account: ProviderAccount) => LanguageModel;
  readonly synthesizer?: (account: ProviderAccount) => Synthesizer;
}

export const limitsOf = ({ limits }: ProviderAccount): Limits => ({ ...usualLimits, ...limits });

/** @param publicUrl of the provider; without a slash at the end */
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
