import { createClient, createConfig } from './generated/client/index.js';
import { operationsWithKey } from './generated/idempotent.gen.js';
import { Operations } from './generated/sdk.gen.js';
import type { CallRecord } from './generated/types.gen.js';
import { ParleyError } from './errors.js';
import { streamEvents, type StreamedEvent, type StreamOptions } from './event-stream.js';
import { pause, retrying, type TransportOptions } from './transport.js';

export interface ParleyOptions extends TransportOptions {
  /** `tai_…` */
  readonly apiKey: string;
  /** The address of the gateway, without /v1; `http://127.0.0.1:8080`. */
  readonly baseUrl?: string;
}

/** What an operation is given further so that its answer can be read whole. */
export interface ResponseOptions {
  readonly fetch: typeof globalThis.fetch;
}

export interface MatchOptions {
  readonly headers: { readonly 'If-Match': string };
}

type Call = CallRecord;

/** Calls of these statuses change no more, unless a person decides. */
const settled: ReadonlySet<Call['status']> = new Set([
  'completed',
  'failed',
  'canceled',
  'policy_blocked',
  'needs_review',
] as const);

/** A client of one installation with one key; operations by their tag: `parley.calls.createCall({ body })`. */
export class Parley extends Operations {
  readonly #options: ParleyOptions;
  readonly #baseUrl: string;
  readonly #send: (request: Request) => Promise<Response>;

  constructor(options: ParleyOptions) {
    const baseUrl = (options.baseUrl ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');
    const send = retrying(options);
    const client = createClient(
      createConfig({
        baseUrl,
        auth: () => options.apiKey,
        throwOnError: true,
        fetch: send as typeof globalThis.fetch,
      }),
    );
    client.interceptors.request.use((request, { method, url }) => {
      if (operationsWithKey.has(`${method} ${url}`) && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID());
      return request;
    });
    client.interceptors.error.use((error, response) =>
      error instanceof ParleyError
        ? error
        : new ParleyError(response ? error : undefined, response, response ? undefined : error),
    );
    super({ client });
    this.#options = options;
    this.#baseUrl = baseUrl;
    this.#send = send;
  }

  /** An operation with its HTTP response: `parley.withResponse((o) => parley.agents.getAgent({ path, ...o }))`. */
  async withResponse<T>(operation: (options: ResponseOptions) => Promise<T>): Promise<{ data: T; response: Response }> {
    let response: Response | undefined;
    const data = await operation({
      fetch: async (input, init) => (response = await this.#send(new Request(input, init))),
    });
    if (!response) throw new TypeError('the operation was not given the options');
    return { data, response };
  }

  /**
   * Reads, changes and writes with If-Match. Where another write came first it reads again, three times in all.
   * A conflict that is not about the version is thrown at once.
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
      if (etag === null) throw new TypeError('the read has no ETag');
      if (refused?.etag === etag) throw refused.error;
      try {
        return await write(data, { headers: { 'If-Match': etag } });
      } catch (error) {
        if (!(error instanceof ParleyError) || error.status !== 409 || attempt >= tries) throw error;
        refused = { etag, error };
      }
    }
  }

  /** Events as they happen, without an end; reconnects where it was. */
  streamEvents(options: StreamOptions = {}): AsyncGenerator<StreamedEvent, void, undefined> {
    const headers = new Headers({ accept: 'text/event-stream', authorization: `Bearer ${this.#options.apiKey}` });
    const fetch = this.#options.fetch ?? globalThis.fetch;
    return streamEvents({ url: new URL(`${this.#baseUrl}/v1/events`), headers, fetch }, options);
  }

  /** Reads a call until it has one of the statuses, or one that it will not leave by itself. @throws the reason of the signal */
  async waitForCall(
    callId: string,
    statuses: readonly Call['status'][] = ['completed'],
    { signal, everyMs = 500 }: { signal?: AbortSignal; everyMs?: number } = {},
  ): Promise<Call> {
    for (;;) {
      const call = await this.calls.getCall({ path: { call_id: callId }, ...(signal ? { signal } : {}) });
      if (statuses.includes(call.status) || settled.has(call.status)) return call;
      await pause(everyMs, signal);
    }
  }
}

/** Every record of a list: `items((cursor) => parley.calls.listCalls({ query: { cursor } }))`. */
export async function* items<T>(
  page: (cursor: string | undefined) => Promise<{ data: T[]; next_cursor: string | null }>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const { data, next_cursor: next } = await page(cursor);
    yield* data;
    cursor = next ?? undefined;
  } while (cursor !== undefined);
}
