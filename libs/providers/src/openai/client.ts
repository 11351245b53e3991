import OpenAI from 'openai';
import { baseUrlOf, type ProviderAccount } from '../adapter';

/** A server that implements OpenAI's protocol. */
export interface OpenAiServer {
  /** The name of the provider, used in errors. */
  readonly provider: string;
  readonly publicUrl: string;
  /** The header that contains the key. Default: Authorization with a bearer token. */
  readonly keyHeader?: string;
  /** Whether the server supports features that only OpenAI has: usage at the end of a stream, and `max_completion_tokens`. */
  readonly isOpenAi: boolean;
}

/** Retries and logging of the client are off, because the code that conducts the call decides what happens after a failure. */
export function clientOf({ publicUrl, keyHeader }: OpenAiServer, account: ProviderAccount): OpenAI {
  const apiKey = account.apiKey ?? '';
  return new OpenAI({
    // With empty values the client would read them from the environment.
    apiKey: apiKey === '' ? 'none' : apiKey,
    organization: null,
    project: null,
    baseURL: baseUrlOf(account, publicUrl),
    defaultHeaders: headersOf(apiKey, keyHeader),
    maxRetries: 0,
    // Far above the adapter's own timeouts, which apply instead.
    timeout: 600_000,
    logLevel: 'off',
    fetch: account.fetch,
  });
}

function headersOf(apiKey: string, keyHeader: string | undefined): Record<string, string | null> {
  if (apiKey === '') return { authorization: null };
  return keyHeader === undefined ? {} : { authorization: null, [keyHeader]: apiKey };
}
