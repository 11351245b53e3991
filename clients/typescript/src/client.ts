import { createClient, type RequestOptions } from './generated/client/index.js';
import { operationsWithKey } from './generated/idempotent.gen.js';
import { Operations } from './generated/sdk.gen.js';
import type { CallRecord } from './generated/types.gen.js';
import { ParleyError } from './errors.js';
import { streamEvents, type StreamedEvent, type StreamOptions } from './event-stream.js';
import { pause, retrying, type TransportOptions } from './transport.js';
import { deprecationWarnings, type OnWarning } from './warnings.js';

export interface ParleyOptions extends TransportOptions {
  /** The API key, `tai_…`. */
  readonly apiKey: string;
  /** The address of the gateway without /v1. Default: `http://127.0.0.1:8080`. */
  readonly baseUrl?: string;
  /** Called once for each route and field that a response marks as deprecated. Default: prints the message with `console.warn`. */
  readonly onWarning?: OnWarning;
}

/** Additional options for an operation, with which its whole HTTP response can be read. */
export type ResponseOptions = { readonly fetch: typeof globalThis.fetch };

/**
 * `url` is a path template, such as `/v1/calls/{call_id}`. As `body`, a string, bytes or a Blob is sent unchanged, with the Content-Type in `headers`; any other
 * value as JSON.
 */
export interface AnyRequest extends Pick<RequestOptions, 'url' | 'path' | 'query' | 'body' | 'signal' | 'fetch'> {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type MatchOptions = { readonly headers: { readonly 'If-Match': string } };

type Status = CallRecord['status'];

export interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly everyMs?: number;
  /** Called for each status that is observed; intermediate ones may be missed. */
  readonly onStatus?: (status: Status) => void;
}

/** Calls with these statuses do not change any more unless a person intervenes. */
const settled: readonly Status[] = ['completed', 'failed', 'canceled', 'policy_blocked', 'needs_review'];

/** A client for one installation with one key. Operations are grouped by tag: `parley.calls.createCall({ body })`. */
export class Parley extends Operations {
  readonly #send: typeof globalThis.fetch;

  constructor({ apiKey, baseUrl = 'http://127.0.0.1:8080', onWarning, ...transport }: ParleyOptions) {
    const fetch = retrying(transport);
    const client = createClient({
      baseUrl: baseUrl.replace(/\/+$/, ''),
      auth: () => apiKey,
      throwOnError: true,
      fetch,
    });
    client.interceptors.request.use((request, { method, url }) => {
      if (operationsWithKey.has(`${method} ${url}`) && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID());
      return request;
    });
    const warn = deprecationWarnings(onWarning);
    client.interceptors.response.use((response, _, { method, url }) => warn(response, `${method} ${url}`));
    client.interceptors.error.use((error, response) =>
      response ? new ParleyError(error, response) : new ParleyError(undefined, undefined, error),
    );
    super({ client });
    this.#send = fetch;
  }

  /** Requests any API route, with the same retries, idempotency keys and errors as typed operations. JSON is parsed; audio is returned as a Blob. */
  async request({ body, method, headers, ...options }: AnyRequest): Promise<unknown> {
    const isRaw = typeof body === 'string' || body instanceof Blob || body instanceof Uint8Array;
    return this.client.request<unknown, unknown, true, 'data'>({
      ...options,
      body,
      ...(isRaw ? { bodySerializer: null } : {}),
      // Without a body, the generated client removes the type.
      headers: { 'Content-Type': 'application/json', ...headers },
      method: method as 'GET',
      responseStyle: 'data',
      security: [{ scheme: 'bearer', type: 'http' }],
    });
  }

  /** Calls an operation and also returns its HTTP response: `parley.withResponse((o) => parley.agents.getAgent({ path, ...o }))`. */
  async withResponse<T>(operation: (options: ResponseOptions) => Promise<T>): Promise<{ data: T; response: Response }> {
    let response: Response | undefined;
    const data = await operation({ fetch: async (...request) => (response = await this.#send(...request)) });
    if (!response) throw new TypeError('the operation was called without the options');
    return { data, response };
  }

  /**
   * Reads a record, changes it and writes it with If-Match. If another write was faster, it starts again, at most `tries` times in total. A conflict for
   * another reason than the version is thrown immediately.
   */
  async change<T, R>(
    read: (options: ResponseOptions) => Promise<T>,
    write: (current: T, options: MatchOptions) => Promise<R>,
    tries = 3,
  ): Promise<R> {
    let refused: { etag: string; error: ParleyError } | undefined;
    for (let attempt = 1; ; attempt += 1) {
      const { data, response } = await this.withResponse(read);
      const etag = response.headers.get('etag');
      if (etag === null) throw new TypeError('the response to the read has no ETag');
      if (refused?.etag === etag) throw refused.error;
      try {
        return await write(data, { headers: { 'If-Match': etag } });
      } catch (error) {
        if (!(error instanceof ParleyError) || error.status !== 409 || attempt >= tries) throw error;
        refused = { etag, error };
      }
    }
  }

  /** Yields events as they happen, without an end; after a reconnection it continues where it was. */
  streamEvents(options: StreamOptions = {}): AsyncGenerator<StreamedEvent, void, undefined> {
    return streamEvents(this.client, this.#send, options);
  }

  /** Reads a call repeatedly until it has one of the statuses, or one that it will not leave by itself. @throws the reason of the signal if it is aborted */
  async waitForCall(
    callId: string,
    statuses: readonly Status[] = ['completed'],
    { signal, everyMs = 500, onStatus }: WaitOptions = {},
  ): Promise<CallRecord> {
    for (let seen: Status | undefined; ; await pause(everyMs, signal)) {
      const call = await this.calls.getCall({ path: { call_id: callId }, ...(signal ? { signal } : {}) });
      if (call.status !== seen) onStatus?.(call.status);
      if ([...settled, ...statuses].includes(call.status)) return call;
      seen = call.status;
    }
  }
}

/** A page of a list. The event log has no last page; its `has_more` states whether there are more events now. */
export type Page<T> = { readonly data: T[]; readonly next_cursor: string | null; readonly has_more?: boolean };

/**
 * Yields every record of a list: `items((cursor) => parley.calls.listCalls({ query: { cursor } }))`. For the event log, the events that exist now:
 * `items((after) => parley.events.listEvents({ query: { after } }))`; `streamEvents` continues with new ones.
 */
export async function* items<T>(page: (cursor?: string) => Promise<Page<T>>): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const { data, next_cursor: next, has_more: hasMore } = await page(cursor);
    yield* data;
    cursor = hasMore === false ? undefined : (next ?? undefined);
  } while (cursor !== undefined);
}
