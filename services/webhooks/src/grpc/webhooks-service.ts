import { ListEventsResponse, WebhooksServiceService, type WebhooksServiceServer } from '@parley/proto/webhooks';
import { grpcService, type GrpcService } from '@parley/runtime';
import { tenantOf } from '@parley/service';
import type { Dependencies } from '../usecases/dependencies';
import { listEvents } from '../usecases/list-events';

/** The typed RPCs: the event log, which the gateway also serves as server-sent events. */
export function webhooksService(dependencies: Dependencies): GrpcService {
  return grpcService<WebhooksServiceServer>(WebhooksServiceService, {
    async listEvents(request, context) {
      const { after, types, limit, waitMs, fromNow } = request;
      const { events, nextCursor, hasMore } = await listEvents(dependencies, {
        organizationId: tenantOf(context.caller, request.organizationId),
        scopes: context.caller?.scopes ?? [],
        signal: context.signal,
        ...{ after, types, limit, waitMs, fromNow },
      });
      return ListEventsResponse.fromPartial({
        events: events.map(({ cursor, type, payload }) => ({ cursor, type, payload })),
        nextCursor,
        hasMore,
      });
    },
  });
}
