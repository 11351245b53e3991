import { createClient, createConfig } from './generated/client/index.js';
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
export interface ResponseOptions {
  readonly fetch: typeof globalThis.fetch;
}

export interface AnyRequest extends Partial<ResponseOptions> {
  readonly method: string;
  /** A path template, such as `/v1/calls/{call_id}`. */
  readonly url: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** A string, bytes or a Blob is sent unchanged, with the Content-Type in `headers`; any other value as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface MatchOptions {
  readonly headers: { readonly 'If-Match': string };
}

type Call = CallRecord;

export interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly everyMs?: number;
  /** Called for each status that is observed; intermediate ones may be missed. */
  readonly onStatus?: (status: Call['status']) => void;
}

/** Calls with these statuses do not change any more unless a person intervenes. */
const settled: ReadonlySet<Call['status']> = new Set([
  'completed',
  'failed',
  'canceled',
  'policy_blocked',
  'needs_review',
] as const);

/** A client for one installation with one key. Operations are grouped by tag: `parley.calls.createCall({ body })`. */
export class Parley extends Operations {
  readonly #options: ParleyOptions;
  readonly #baseUrl: string;
  readonly #send: (request: Request) => Promise<Response>;
  readonly #client: ReturnType<typeof createClient>;

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
    const warn = deprecationWarnings(options.onWarning);
    client.interceptors.response.use(async (response, _, { method, url }) => {
      await warn(response, `${method} ${url}`);
      return response;
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
    this.#client = client;
  }

  /** Requests any API route, with the same retries, idempotency keys and errors as typed operations. JSON is parsed; audio is returned as a Blob. */
  async request({ method, url, body, headers, ...rest }: AnyRequest): Promise<unknown> {
    const isRaw = typeof body === 'string' || body instanceof Blob || body instanceof Uint8Array;
    return this.#client.request<unknown, unknown, true, 'data'>({
      ...rest,
      ...(body === undefined ? {} : { body }),
      ...(isRaw ? { bodySerializer: null } : {}),
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      method: method as 'GET',
      url,
      responseStyle: 'data',
      security: [{ scheme: 'bearer', type: 'http' }],
    });
  }

  /** Calls an operation and also returns its HTTP response: `parley.withResponse((o) => parley.agents.getAgent({ path, ...o }))`. */
  async withResponse<T>(operation: (options: ResponseOptions) => Promise<T>): Promise<{ data: T; response: Response }> {
    let response: Response | undefined;
    const data = await operation({
      fetch: async (input, init) => (response = await this.#send(new Request(input, init))),
    });
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
    const headers = new Headers({ accept: 'text/event-stream', authorization: `Bearer ${this.#options.apiKey}` });
    const fetch = this.#options.fetch ?? globalThis.fetch;
    return streamEvents({ url: new URL(`${this.#baseUrl}/v1/events`), headers, fetch }, options);
  }

  /** Reads a call repeatedly until it has one of the statuses, or one that it will not leave by itself. @throws the reason of the signal if it is aborted */
  async waitForCall(
    callId: string,
    statuses: readonly Call['status'][] = ['completed'],
    { signal, everyMs = 500, onStatus }: WaitOptions = {},
  ): Promise<Call> {
    let seen: Call['status'] | undefined;
    for (;;) {
      const call = await this.calls.getCall({ path: { call_id: callId }, ...(signal ? { signal } : {}) });
      if (call.status !== seen) onStatus?.(call.status);
      seen = call.status;
      if (statuses.includes(call.status) || settled.has(call.status)) return call;
      await pause(everyMs, signal);
    }
  }
}

/** A page of a list. The event log has no last page; its `has_more` states whether there are more events now. */
export interface Page<T> {
  readonly data: T[];
  readonly next_cursor: string | null;
  readonly has_more?: boolean;
}

/**
 * Yields every record of a list: `items((cursor) => parley.calls.listCalls({ query: { cursor } }))`. For the event log, the events that exist now:
 * `items((after) => parley.events.listEvents({ query: { after } }))`; `streamEvents` continues with new ones.
 */
export async function* items<T>(
  page: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const { data, next_cursor: next, has_more: hasMore } = await page(cursor);
    yield* data;
    cursor = hasMore === false ? undefined : (next ?? undefined);
  } while (cursor !== undefined);
}
