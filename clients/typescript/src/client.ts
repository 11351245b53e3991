import { createClient, type RequestOptions } from './generated/client/index.js';
import { operationsWithKey } from './generated/idempotent.gen.js';
import { Operations } from './generated/sdk.gen.js';
import type { CallRecord, EventType } from './generated/types.gen.js';
import { ParleyError } from './errors.js';
import { pause, retrying, type TransportOptions } from './transport.js';
import { deprecationWarnings, type OnWarning } from './warnings.js';
import { eventOf, type AnyEvent } from './webhooks.js';

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

type Read<T> = (options: ResponseOptions) => Promise<T>;
type Write<T, R> = (current: T, options: MatchOptions) => Promise<R>;

export interface StreamOptions {
  /** A cursor, the id of an event or a time. Absent: only events from now on. */
  readonly after?: string;
  readonly types?: readonly EventType[];
  /** Events of one agent. */
  readonly agentId?: string;
  /** Events of one call, message or campaign. */
  readonly resourceId?: string;
  readonly signal?: AbortSignal;
}

/** `cursor` can be passed as `after`; `json` is the event as JSON, also with what this version of the SDK does not know. */
export type StreamedEvent = { readonly cursor: string; readonly event: AnyEvent; readonly json: string };

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
  /** For streams, which are tried until they are open, with waits of at most a day. */
  readonly #sendUntilAnswered: typeof globalThis.fetch;

  constructor({ apiKey, baseUrl = 'http://127.0.0.1:8080', onWarning, ...transport }: ParleyOptions) {
    const client = createClient({
      baseUrl: baseUrl.replace(/\/+$/, ''),
      headers: { Authorization: `Bearer ${apiKey}` },
      throwOnError: true,
      fetch: retrying(transport),
    });
    client.interceptors.request.use((request, { method, url }) => {
      if (operationsWithKey.has(`${method} ${url}`) && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID());
      return request;
    });
    const warn = deprecationWarnings(onWarning);
    client.interceptors.response.use((response, _, { method, url }) => warn(response, `${method} ${url}`));
    client.interceptors.error.use((error, response) => new ParleyError(error, response));
    super({ client });
    this.#sendUntilAnswered = retrying({ ...transport, maxRetries: Infinity }, 86_400_000);
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
    });
  }

  /** Calls an operation and also returns its HTTP response: `parley.withResponse((o) => parley.agents.getAgent({ path, ...o }))`. */
  async withResponse<T>(operation: Read<T>): Promise<{ data: T; response: Response }> {
    const { fetch: send = fetch } = this.client.getConfig();
    let response: Response | undefined;
    const data = await operation({ fetch: async (...request) => (response = await send(...request)) });
    if (!response) throw new TypeError('the operation was called without the options');
    return { data, response };
  }

  /**
   * Reads a record, changes it and writes it with If-Match. If another write was faster, it starts again, at most `tries` times in total. A conflict for
   * another reason than the version is thrown immediately.
   */
  async change<T, R>(read: Read<T>, write: Write<T, R>, tries = 3): Promise<R> {
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

  /**
   * Yields events as they happen, without an end; after a reconnection it continues where it was. Ends when the signal is aborted.
   * @throws ParleyError if the platform refuses the request
   */
  async *streamEvents(options: StreamOptions = {}): AsyncGenerator<StreamedEvent, void, undefined> {
    const { after, types, agentId, resourceId } = options;
    // Also closes the connection if the reader leaves its loop.
    const left = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
    const filters = { types: types?.length ? types.join() : undefined, agent_id: agentId, resource_id: resourceId };
    let position = after;
    const open: typeof globalThis.fetch = async (request) => {
      const response = await this.#sendUntilAnswered(request, { signal });
      if (!response.ok) throw new ParleyError(await response.json().catch(() => undefined), response);
      // Until an event arrives, a reconnection continues at the beginning of the stream, by the platform's clock.
      position ??= new Date(response.headers.get('date') ?? Date.now()).toISOString();
      return response;
    };
    try {
      while (!signal.aborted) {
        let failure: unknown;
        const { stream } = await this.client.sse.get<unknown>({
          url: '/v1/events',
          headers: { accept: 'text/event-stream' },
          query: { ...filters, after: position },
          fetch: open,
          // Reconnecting is done here, because the generated client does not reconnect after a regular end.
          sseMaxRetryAttempts: 1,
          onSseEvent: ({ id }) => (position = id ?? position),
          onSseError: (error) => (failure = error),
        });
        for await (const value of stream) {
          const event = eventOf(value);
          if (event && position !== undefined) yield { cursor: position, event, json: JSON.stringify(value) };
        }
        if (failure instanceof ParleyError) throw failure;
        await pause(Math.random() * 500, signal).catch(() => undefined);
      }
    } finally {
      left.abort();
    }
  }

  /** Reads a call repeatedly until it has one of the statuses, or one that it will not leave by itself. @throws the reason of the signal if it is aborted */
  async waitForCall(
    callId: string,
    statuses: readonly Status[] = ['completed'],
    { signal, everyMs = 500, onStatus }: WaitOptions = {},
  ): Promise<CallRecord> {
    for (let seen: Status | undefined; ; await pause(everyMs, signal)) {
      const call = await this.calls.getCall({ path: { call_id: callId }, signal });
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
