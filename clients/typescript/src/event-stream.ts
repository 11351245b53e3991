import type { Client } from './generated/client/index.js';
import type { EventType } from './generated/types.gen.js';
import { ParleyError } from './errors.js';
import { backoffMs, pause } from './transport.js';
import { eventOf, type AnyEvent } from './webhooks.js';

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

/**
 * Yields events without an end, and reconnects at the position that was reached. Ends when the signal is aborted. @throws ParleyError if the platform refuses
 * the request
 */
export async function* streamEvents(client: Client, send: typeof globalThis.fetch, options: StreamOptions) {
  const { after, types, agentId, resourceId } = options;
  // Also closes the connection if the reader leaves its loop.
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  const filters = { types: types?.length ? types.join() : undefined, agent_id: agentId, resource_id: resourceId };
  let position = after;
  let failures = 0;
  const open: typeof globalThis.fetch = async (request) => {
    const response = await send(request, { signal });
    if (!response.ok) throw new ParleyError(await response.json().catch(() => undefined), response);
    failures = 0;
    // Until an event arrives, a reconnection continues at the beginning of the stream, by the platform's clock.
    position ??= new Date(response.headers.get('date') ?? Date.now()).toISOString();
    return response;
  };
  try {
    while (!signal.aborted) {
      let failure: unknown;
      const { stream } = await client.sse.get<unknown>({
        url: '/v1/events',
        headers: { accept: 'text/event-stream' },
        query: { ...filters, after: position },
        security: [{ scheme: 'bearer', type: 'http' }],
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
      const refusal = failure instanceof ParleyError ? failure : undefined;
      if (refusal && refusal.status < 500 && refusal.status !== 429) throw refusal;
      const asked = refusal?.retryAfter;
      await pause(asked === undefined ? backoffMs(failures, 10_000) : asked * 1000, signal).catch(() => undefined);
      failures += 1;
    }
  } finally {
    left.abort();
  }
}
