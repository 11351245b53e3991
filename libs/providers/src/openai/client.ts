import OpenAI from 'openai';
import { baseUrlOf, type ProviderAccount } from '../adapter';

/** A server that speaks this protocol. */
export interface OpenAiServer {
  /** Of the provider, in errors. */
  readonly provider: string;
  readonly publicUrl: string;
  /** The header that carries the key. Default: a bearer token. */
  readonly keyHeader?: string;
  /** Whether the server knows what is OpenAI's own: usage at the end of a stream, `max_completion_tokens`. */
  readonly isOpenAi: boolean;
}

/** Its own retries and log are off: the call decides what follows a failure. */
export function clientOf({ publicUrl, keyHeader }: OpenAiServer, account: ProviderAccount): OpenAI {
  const apiKey = account.apiKey ?? '';
  return new OpenAI({
    // Empty values would make the client look for one in the environment.
    apiKey: apiKey === '' ? 'none' : apiKey,
    organization: null,
    project: null,
    baseURL: baseUrlOf(account, publicUrl),
    defaultHeaders: headersOf(apiKey, keyHeader),
    maxRetries: 0,
    // The adapter has limits of its own.
    timeout: 600_000,
    logLevel: 'off',
    fetch: account.fetch,
  });
}

function headersOf(apiKey: string, keyHeader: string | undefined): Record<string, string | null> {
  if (apiKey === '') return { authorization: null };
  return keyHeader === undefined ? {} : { authorization: null, [keyHeader]: apiKey };
}
