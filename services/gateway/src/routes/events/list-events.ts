import { routes } from '@parley/contract';
import type { ListEventsResponse } from '@parley/proto/webhooks';
import { streamAnswer, type Answer } from '../../answer';
import { named } from '../../middleware/named-organization';
import { route, type RouteRequest } from '../../route';

/** How long one question for more waits behind the edge; a heartbeat goes out in between. */
const waitMs = 10_000;
const deadlineMs = 15_000;

export default route(routes.listEvents, async (request) => {
  const { query, clients, context, stream } = request;
  if (stream !== undefined) return followed(request, stream);
  return pageOf(await clients.webhooks.listEvents(question(request, query.after ?? ''), context));
});

/** The payloads are shown as they were published, byte for byte. */
function pageOf({ events, nextCursor, hasMore }: ListEventsResponse): Answer {
  const data = events.map(({ payload }) => payload).join(',');
  return { body: `{"data":[${data}],"next_cursor":${JSON.stringify(nextCursor)},"has_more":${hasMore}}` };
}

type Request = RouteRequest<typeof routes.listEvents>;

const question = ({ query, organizationId }: Request, after: string) => ({
  organizationId: named(organizationId),
  types: query.types ?? [],
  limit: query.limit,
  after,
  waitMs: 0,
  fromNow: false,
});

/** The first question is asked before the answer begins, so that what is wrong with it is an error and no stream. */
async function followed(request: Request, stream: NonNullable<Request['stream']>): Promise<Answer> {
  const { query, clients, context } = request;
  const ask = async (caller: Request['caller'], after: string, wait: number) =>
    clients.webhooks.listEvents(
      { ...question(request, after), waitMs: wait, fromNow: true },
      { requestId: context.requestId, traceparent: context.traceparent, caller, signal: stream.signal },
      { deadlineMs },
    );
  const first = await ask(request.caller, stream.lastEventId ?? query.after ?? '', 0);
  return streamAnswer(
    (async function* () {
      for (let page = first; ;) {
        if (page.events.length === 0) yield ': nothing new\n\n';
        for (const { cursor, type, payload } of page.events) {
          yield `id: ${cursor}\nevent: ${type}\ndata: ${payload}\n\n`;
        }
        if (stream.signal.aborted) return;
        // The key may have been revoked, or lost a scope, since the last question.
        page = await ask(await stream.callerNow(), page.nextCursor, waitMs);
      }
    })(),
  );
}
