import type { EventType } from './generated/types.gen.js';
import { ParleyError } from './errors.js';
import { pause } from './transport.js';
import { parseEvent, type AnyEvent } from './webhooks.js';

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

export interface StreamedEvent {
  /** Can be passed as `after`. */
  readonly cursor: string;
  readonly event: AnyEvent;
  /** The JSON as the platform sent it. */
  readonly json: string;
}

interface Source {
  readonly url: URL;
  readonly headers: Headers;
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Yields events without an end, and reconnects at the position that was reached. Ends when the signal is aborted. @throws ParleyError if the platform refuses
 * the request
 */
export async function* streamEvents(
  { url, headers, fetch }: Source,
  { after, types, agentId, resourceId, signal }: StreamOptions,
): AsyncGenerator<StreamedEvent, void, undefined> {
  if (types?.length) url.searchParams.set('types', types.join());
  if (agentId !== undefined) url.searchParams.set('agent_id', agentId);
  if (resourceId !== undefined) url.searchParams.set('resource_id', resourceId);
  let position = after;
  let failures = 0;
  while (!signal?.aborted) {
    let waitMs = Math.min(10_000, 250 * 2 ** failures) * (0.5 + Math.random() / 2);
    try {
      if (position !== undefined) url.searchParams.set('after', position);
      const response = await fetch(url, { headers, signal: signal ?? null });
      if (!response.ok || !response.body) {
        const error = new ParleyError(await response.json().catch(() => undefined), response);
        if (response.status < 500 && response.status !== 429) throw error;
        if (error.retryAfter !== undefined) waitMs = error.retryAfter * 1000;
      } else {
        failures = 0;
        // Until an event arrives, a reconnection continues at the beginning of the stream, by the platform's clock.
        position ??= new Date(response.headers.get('date') ?? Date.now()).toISOString();
        for await (const { id, data } of messages(response.body)) {
          if (id === '' || data === '') continue;
          position = id;
          yield { cursor: id, event: parseEvent(data), json: data };
        }
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof ParleyError) throw error;
    }
    failures += 1;
    await pause(waitMs, signal).catch(() => undefined);
  }
}

/** Parses server-sent events: fields until an empty line; lines that begin with a colon are comments. */
async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<{ id: string; data: string }> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let id = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) yield { id, data: data.join('\n') };
          data = [];
          continue;
        }
        const [, field, text = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
        if (field === 'id') id = text;
        if (field === 'data') data.push(text);
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
