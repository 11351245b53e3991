import { routes } from '@parley/contract';
import { badRequest } from '@parley/errors';
import type { ListEventsResponse } from '@parley/proto/webhooks';
import { type Answer, streamAnswer } from '../http';
import { route, type RouteRequest } from './route';

/** The duration of one long-poll request to the webhooks service; a heartbeat is sent between two of them. */
const waitMs = 10_000;
const deadlineMs = 15_000;

export default route(routes.listEvents, async (request) => {
  const { query, clients, context, stream } = request;
  if (stream !== undefined) return followed(request, stream);
  return pageOf(await clients.webhooks.listEvents(question(request, query.after ?? ''), context));
});

/** The payloads are returned exactly as published. */
function pageOf({ events, nextCursor, hasMore }: ListEventsResponse): Answer {
  const data = events.map(({ payload }) => payload).join(',');
  return { body: `{"data":[${data}],"next_cursor":${JSON.stringify(nextCursor)},"has_more":${hasMore}}` };
}

type Request = RouteRequest<typeof routes.listEvents>;

/** The organization whose events are listed. An operator belongs to none and must specify one. */
function named(organizationId: string): string {
  if (organizationId === '') throw badRequest('organization_id is required: the credential belongs to no organization');
  return organizationId;
}

const question = ({ query, organizationId }: Request, after: string) => ({
  organizationId: named(organizationId),
  types: query.types ?? [],
  limit: query.limit,
  agentId: query.agent_id ?? '',
  resourceId: query.resource_id ?? '',
  after,
  waitMs: 0,
  fromNow: false,
});

/** The first poll is done before the response starts, so that a failure is sent as an error and not as a stream. */
async function followed(request: Request, stream: NonNullable<Request['stream']>): Promise<Answer> {
  const { query, clients, context } = request;
  const ask = async (caller: Request['caller'], after: string, wait: number) =>
    clients.webhooks.listEvents(
      { ...question(request, after), waitMs: wait, fromNow: true },
      { requestId: context.requestId, traceparent: context.traceparent, caller, signal: stream.signal },
      { deadlineMs },
    );
  await stream.admit(request.caller);
  const first = await ask(request.caller, stream.lastEventId ?? query.after ?? '', 0);
  return streamAnswer(
    (async function* () {
      for (let page = first; ;) {
        if (page.events.length === 0) yield ': nothing new\n\n';
        for (const { cursor, type, payload } of page.events) {
          // Checked before each event, because the wait for it, or for a stalled reader, may have taken long.
          await stream.callerNow();
          yield `id: ${cursor}\nevent: ${type}\ndata: ${payload}\n\n`;
        }
        if (stream.signal.aborted) return;
        page = await ask(await stream.callerNow(), page.nextCursor, waitMs);
      }
    })(),
  );
}
