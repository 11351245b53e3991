import type { AnyRoute } from '@parley/contract';
import {
  EraseEventsResponse,
  FindAudioStreamResponse,
  ListEventsResponse,
  WebhooksServiceService,
  type WebhooksServiceServer,
} from '@parley/proto/webhooks';
import { grpcService, type GrpcService } from '@parley/runtime';
import { publicService, tenantOf, type PublicCall, type PublicHandlers } from '@parley/service';
import {
  deliveryRecord,
  deliverySummary,
  getDelivery,
  listAttempts,
  listDeliveries,
  retryDelivery,
  testEndpoint,
} from './deliveries';
import {
  createEndpoint,
  deleteEndpoint,
  endpointCreated,
  endpointForRead,
  endpointRecord,
  etagOf,
  findAudioStream,
  listEndpoints,
  listRecoveries,
  recoverEndpoint,
  recoveryRecord,
  rotateSecret,
  updateEndpoint,
  type Dependencies,
  type Endpoint,
} from './endpoints';
import { eraseEvents, listEvents, type EventLogDependencies } from './events';

/** The public routes of this service. */
export function webhooksPublicService(dependencies: Dependencies): GrpcService {
  return publicService('webhooks', handlers(dependencies), { insecureUrls: dependencies.policy.development });
}

const read = (endpoint: Endpoint) => ({ body: endpointRecord(endpoint), etag: etagOf(endpoint) });

function handlers(dependencies: Dependencies): PublicHandlers<'webhooks'> {
  return {
    listAgentEndpoints: async (call) => ({
      body: await listEndpoints(dependencies, call.namedOrganizationId, call.query),
    }),
    async createAgentEndpoint(call) {
      const { endpoint, secret } = await createEndpoint(dependencies, {
        organizationId: call.organizationId,
        asked: call.json,
        body: () => call.body(),
        scopes: call.caller.scopes,
        actor: call.context,
        creating: (organizationId) => call.creating(organizationId),
      });
      return { body: endpointCreated(endpoint, secret), etag: etagOf(endpoint), replayed: secret === undefined };
    },
    getAgentEndpoint: async (call) =>
      read(await endpointForRead(dependencies.db, call.organizationId, endpointId(call))),
    updateAgentEndpoint: async (call) =>
      read(
        await updateEndpoint(dependencies, {
          organizationId: call.organizationId,
          endpointId: endpointId(call),
          asked: call.json,
          body: () => call.body(),
          scopes: call.caller.scopes,
          ifMatch: call.ifMatch,
          actor: call.context,
        }),
      ),
    deleteAgentEndpoint: async (call) =>
      read(
        await deleteEndpoint(dependencies, {
          organizationId: call.organizationId,
          endpointId: endpointId(call),
          ifMatch: call.ifMatch,
          actor: call.context,
        }),
      ),
    async rotateAgentEndpointSecret(call) {
      const { endpoint, secret } = await rotateSecret(dependencies, {
        organizationId: call.organizationId,
        endpointId: endpointId(call),
        body: () => call.body(),
        actor: call.context,
      });
      return { body: endpointCreated(endpoint, secret), etag: etagOf(endpoint) };
    },
    async recoverAgentEndpoint(call) {
      const { recovery, replayed } = await recoverEndpoint(dependencies, {
        organizationId: call.organizationId,
        endpointId: endpointId(call),
        body: () => call.body(),
        actor: call.context,
        creating: (organizationId) => call.creating(organizationId),
      });
      return { body: recoveryRecord(recovery), replayed };
    },
    listRecoveries: async (call) => ({
      body: await listRecoveries(dependencies, call.organizationId, endpointId(call), call.query),
    }),
    async testAgentEndpoint(call) {
      const { delivery, replayed } = await testEndpoint(dependencies, {
        organizationId: call.organizationId,
        endpointId: endpointId(call),
        creating: (organizationId) => call.creating(organizationId),
      });
      return { body: deliverySummary(delivery), replayed };
    },
    listDeliveries: async (call) => ({
      body: await listDeliveries(dependencies, call.organizationId, endpointId(call), call.query),
    }),
    listAttempts: async (call) => ({
      body: await listAttempts(dependencies, call.organizationId, endpointId(call), call.query),
    }),
    getDelivery: async (call) => ({
      body: deliveryRecord(await getDelivery(dependencies, call.organizationId, call.params.delivery_id)),
    }),
    retryDelivery: async (call) => ({
      body: deliveryRecord(await retryDelivery(dependencies, call.organizationId, call.params.delivery_id)),
    }),
  };
}

const endpointId = ({ params }: Pick<PublicCall<AnyRoute>, 'params'>): string => params['agent_endpoint_id'] ?? '';

/** The typed RPCs. */
export function webhooksService(dependencies: EventLogDependencies): GrpcService {
  return grpcService<WebhooksServiceServer>(WebhooksServiceService, {
    async listEvents(request, context) {
      const { after, types, agentId, resourceId, limit, waitMs, fromNow } = request;
      const { events, nextCursor, hasMore } = await listEvents(dependencies, {
        organizationId: tenantOf(context.caller, request.organizationId),
        scopes: context.caller?.scopes ?? [],
        signal: context.signal,
        ...{ after, types, agentId, resourceId, limit, waitMs, fromNow },
      });
      return ListEventsResponse.fromPartial({
        events: events.map(({ cursor, type, payload }) => ({ cursor, type, payload })),
        nextCursor,
        hasMore,
      });
    },
    async findAudioStream({ organizationId, projectId }, { caller }) {
      const url = await findAudioStream(dependencies, tenantOf(caller, organizationId), projectId);
      return FindAudioStreamResponse.fromPartial({ url });
    },
    async eraseEvents({ organizationId, resources }, { caller }) {
      const events = await eraseEvents(dependencies.db, tenantOf(caller, organizationId), resources);
      return EraseEventsResponse.fromPartial({ events });
    },
  });
}
