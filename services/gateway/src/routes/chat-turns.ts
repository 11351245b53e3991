import { callOfChat, type TranscriptTurn } from '@parley/contract';
import type { WatchCallResponse } from '@parley/proto/telephony';
import { type Answer, streamAnswer } from '../http';
import type { RouteRequest } from './route';

/** The duration of one long-poll request to telephony. */
const waitMs = 10_000;
const deadlineMs = 15_000;

type Request = Pick<RouteRequest, 'params' | 'organizationId' | 'caller' | 'clients' | 'context'> & {
  readonly stream: NonNullable<RouteRequest['stream']>;
};

/**
 * A chat turn as server-sent events: `delta` events while the agent writes, then `turn` with the whole response. If the turn is refused, the response is an
 * error instead of a stream.
 * @param execute runs the turn
 */
export async function streamedTurn(request: Request, execute: () => Promise<Answer>): Promise<Answer> {
  const { params, organizationId, caller, clients, context, stream } = request;
  const left = new AbortController();
  const signal = AbortSignal.any([stream.signal, left.signal]);
  const callId = callOfChat(params['chat_session_id'] ?? '');
  const ask = (after: string, wait: number) =>
    clients.telephony.watchCall(
      { organizationId, callId, after, waitMs: wait },
      { requestId: context.requestId, traceparent: context.traceparent, caller, signal },
      { deadlineMs },
    );
  await stream.admit(caller);
  // The turns before this one. If the session does not exist, the turn itself is refused.
  const before = await ask('', 0).catch(() => undefined);
  const turn = execute();
  turn.catch(() => undefined).finally(() => left.abort());
  const pages = before === undefined ? undefined : following(ask, before, signal);
  const deltas = readDeltas(pages, before);
  const first = await Promise.race([turn.then(() => undefined), deltas.next()]);
  // The turn was refused before any text was written.
  if (first === undefined || first.done === true) await turn;
  return streamAnswer(
    (async function* () {
      if (first?.done === false) yield first.value;
      for await (const delta of deltas) yield delta;
      const { body } = await turn;
      yield `event: turn\ndata: ${String(body)}\n\n`;
    })(),
  );
}

type Ask = (after: string, wait: number) => Promise<WatchCallResponse>;

async function* following(ask: Ask, before: WatchCallResponse, signal: AbortSignal): AsyncGenerator<WatchCallResponse> {
  for (let page = before; !signal.aborted && !page.over;) {
    // Pages that are already complete are read without waiting.
    const next = await ask(page.cursor, page === before || page.events.length > 0 ? 0 : waitMs).catch(() => undefined);
    if (next === undefined) return;
    page = next;
    yield page;
  }
}

/** Yields the new text of each agent turn. */
async function* readDeltas(
  pages: AsyncGenerator<WatchCallResponse> | undefined,
  before: WatchCallResponse | undefined,
): AsyncGenerator<string> {
  const texts = new Map<string, string>();
  for (const { turn_id: id = '', text } of turnsOf(before?.events ?? [])) texts.set(id, text);
  let written = false;
  for await (const { events } of pages ?? []) {
    for (const { turn_id: id = '', speaker, text } of turnsOf(events)) {
      const known = texts.get(id) ?? '';
      written ||= speaker !== 'agent' && !texts.has(id);
      if (!written || speaker !== 'agent' || !text.startsWith(known) || text === known) continue;
      texts.set(id, text);
      yield `event: delta\ndata: ${JSON.stringify({ turn_id: id, text: text.slice(known.length) })}\n\n`;
    }
  }
}

const turnsOf = (events: WatchCallResponse['events']): TranscriptTurn[] =>
  events.flatMap(({ type, data }) => (type === 'turn' ? [JSON.parse(data) as TranscriptTurn] : []));
