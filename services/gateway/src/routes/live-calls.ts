import { routes } from '@parley/contract';
import type { WatchCallResponse } from '@parley/proto/telephony';
import { type Answer, streamAnswer } from '../http';
import { route, type RouteRequest } from './route';

/** The duration of one long-poll request to telephony; a heartbeat is sent between two of them. */
const waitMs = 10_000;
const deadlineMs = 15_000;

export const watchCall = route(routes.watchCall, async (request) => {
  const { query, clients, context, stream } = request;
  if (stream !== undefined) return followed(request, stream);
  return pageOf(await clients.telephony.watchCall(question(request, query.after ?? '', 0), context));
});

type Request = RouteRequest<typeof routes.watchCall>;

/** The data is returned exactly as telephony rendered it. */
function pageOf({ events, cursor, over }: WatchCallResponse): Answer {
  const data = events.map((event) => `{"type":${JSON.stringify(event.type)},"data":${event.data}}`).join(',');
  return { body: `{"data":[${data}],"next_cursor":${JSON.stringify(cursor)},"over":${over}}` };
}

const question = ({ params, organizationId }: Request, after: string, wait: number) => ({
  organizationId,
  callId: params.call_id,
  after,
  waitMs: wait,
});

/** The first poll is done before the response starts, so that a failure is sent as an error and not as a stream. The stream ends with the call. */
async function followed(request: Request, stream: NonNullable<Request['stream']>): Promise<Answer> {
  const { query, clients, context } = request;
  const ask = (caller: Request['caller'], after: string, wait: number) =>
    clients.telephony.watchCall(
      question(request, after, wait),
      { requestId: context.requestId, traceparent: context.traceparent, caller, signal: stream.signal },
      { deadlineMs },
    );
  await stream.admit(request.caller);
  const first = await ask(request.caller, stream.lastEventId ?? query.after ?? '', 0);
  return streamAnswer(
    (async function* () {
      for (let page = first; ;) {
        if (page.events.length === 0) yield ': nothing new\n\n';
        for (const [n, { type, data }] of page.events.entries()) {
          // Checked before each event, because the wait for it, or for a stalled reader, may have taken long.
          await stream.callerNow();
          // Only the last event of a page has an id, because a reconnecting reader resumes after a whole page.
          const id = n === page.events.length - 1 ? `id: ${page.cursor}\n` : '';
          yield `${id}event: ${type}\ndata: ${data}\n\n`;
        }
        if (page.over || stream.signal.aborted) return;
        page = await ask(await stream.callerNow(), page.cursor, waitMs);
      }
    })(),
  );
}
