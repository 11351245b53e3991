import { EventReader, InvalidAnswer, turnEventOf, turnOf, type TurnEvent } from './turn-answer.rules';
import type { TurnRequest } from './turn-request';

export type TurnFailure = 'timeout' | 'connection_failed' | 'status' | 'invalid_answer' | 'too_large';

/** The customer's server did not accept the turn. */
export class TurnFailed extends Error {
  constructor(
    readonly code: TurnFailure,
    detail: string,
  ) {
    super(detail);
    this.name = 'TurnFailed';
  }
}

export interface AskedServer {
  readonly url: string;
  /** Connects only to vetted addresses and follows no redirect. */
  readonly fetch: typeof fetch;
  /** Timeout until the first text. */
  readonly firstMs: number;
  readonly mostBytes: number;
}

/**
 * Streams the text that the customer's server wants its agent to say. Ends after `done`.
 * @param signal cancels the request; an error thrown after that can be ignored
 * @throws TurnFailed
 */
export async function* askForTurn(
  { url, fetch: send, firstMs, mostBytes }: AskedServer,
  { headers, body }: TurnRequest,
  signal: AbortSignal,
): AsyncIterable<TurnEvent> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), firstMs);
  let spoke = false;
  try {
    const both = AbortSignal.any([signal, late.signal]);
    const response = await send(url, { method: 'POST', headers, body, signal: both, redirect: 'manual' });
    if (!response.ok) {
      await response.body?.cancel();
      throw new TurnFailed('status', `HTTP ${response.status}`);
    }
    for await (const event of readEvents(response, mostBytes)) {
      if (event.type === 'delta' && event.text.trim() === '' && !spoke) continue;
      spoke = true;
      clearTimeout(timer);
      yield event;
    }
  } catch (error) {
    if (error instanceof TurnFailed) throw error;
    if (error instanceof InvalidAnswer) throw new TurnFailed('invalid_answer', error.message);
    if (late.signal.aborted && !spoke) throw new TurnFailed('timeout', `no text arrived within ${firstMs} ms`);
    throw new TurnFailed('connection_failed', 'the connection failed or was lost');
  } finally {
    clearTimeout(timer);
    late.abort();
  }
}

async function* readEvents(response: Response, mostBytes: number): AsyncIterable<TurnEvent> {
  const streams = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const reader = new EventReader();
  let json = '';
  for await (const text of readTexts(response, mostBytes)) {
    if (!streams) json += text;
    else
      for (const sent of reader.push(text)) {
        const event = turnEventOf(sent);
        if (event !== undefined) yield event;
        if (event?.type === 'done') return;
      }
  }
  if (streams) throw new InvalidAnswer('the stream ended without done');
  yield* turnOf(json);
}

async function* readTexts({ body }: Response, mostBytes: number): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw new TurnFailed('too_large', `more than ${mostBytes} bytes`);
    yield decoder.decode(chunk, { stream: true });
  }
}
