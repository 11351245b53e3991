import { AgentEndpoint, AgentEndpointUpdate, RecoveryRequest, SecretRotation } from '@parley/contract';
import {
  DeliveryResponse,
  ListAttemptsResponse,
  ListDeliveriesResponse,
  ListEndpointsResponse,
  ListEventsResponse,
  ListRecoveriesResponse,
  RecoveryResponse,
  type Search,
  WebhooksServiceService,
  type WebhooksServiceServer,
} from '@parley/proto/webhooks';
import { grpcService, type GrpcService } from '@parley/runtime';
import { createEndpoint } from '../usecases/create-endpoint';
import { deleteEndpoint } from '../usecases/delete-endpoint';
import type { Dependencies } from '../usecases/dependencies';
import { getEndpoint } from '../usecases/get-endpoint';
import { listEndpoints } from '../usecases/list-endpoints';
import { listEvents } from '../usecases/list-events';
import { getDelivery, listAttempts, listDeliveries, type SearchRequest } from '../usecases/read-deliveries';
import { listRecoveries, recoverEndpoint } from '../usecases/recover-endpoint';
import { retryDelivery } from '../usecases/retry-delivery';
import { rotateSecret } from '../usecases/rotate-secret';
import { testEndpoint } from '../usecases/test-endpoint';
import { updateEndpoint } from '../usecases/update-endpoint';
import { attemptMessage, deliveryMessage, endpointMessage, endpointResponse, recoveryMessage } from './messages';
import { organizationOf } from './organization-of';
import { parseBody } from './parse-body';

/** The gRPC face of this service: parse, one use case, the answer mapped. */
export function webhooksService(dependencies: Dependencies): GrpcService {
  const insecureUrls = dependencies.policy.development;
  return grpcService<WebhooksServiceServer>(WebhooksServiceService, {
    async createEndpoint(request, context) {
      const { endpoint, secret } = await createEndpoint(dependencies, {
        organizationId: organizationOf(request, context),
        ...parseBody(AgentEndpoint, request.body, insecureUrls),
        scopes: context.caller?.scopes ?? [],
        idempotency: request.idempotency,
      });
      return endpointResponse(endpoint, { secret, replayed: secret === undefined });
    },
    async listEndpoints(request, context) {
      const { limit = 0, cursor = '' } = request.page ?? {};
      const { rows, nextCursor } = await listEndpoints(dependencies, {
        organizationId: organizationOf(request, context),
        projectId: request.projectId,
        limit,
        cursor,
      });
      return ListEndpointsResponse.fromPartial({ endpoints: rows.map(endpointMessage), nextCursor });
    },
    async getEndpoint(request, context) {
      return endpointResponse(
        await getEndpoint(dependencies, organizationOf(request, context), request.agentEndpointId),
      );
    },
    async updateEndpoint(request, context) {
      const endpoint = await updateEndpoint(dependencies, {
        organizationId: organizationOf(request, context),
        endpointId: request.agentEndpointId,
        ...parseBody(AgentEndpointUpdate, request.body, insecureUrls),
        scopes: context.caller?.scopes ?? [],
        ifMatch: request.ifMatch,
      });
      return endpointResponse(endpoint);
    },
    async deleteEndpoint(request, context) {
      return endpointResponse(
        await deleteEndpoint(dependencies, organizationOf(request, context), request.agentEndpointId, request.ifMatch),
      );
    },
    async listDeliveries(request, context) {
      const { limit = 0, cursor = '' } = request.page ?? {};
      const { rows, nextCursor } = await listDeliveries(dependencies, {
        organizationId: organizationOf(request, context),
        endpointId: request.agentEndpointId,
        status: request.status,
        ...searchOf(request),
        limit,
        cursor,
      });
      return ListDeliveriesResponse.fromPartial({ deliveries: rows.map((row) => deliveryMessage(row)), nextCursor });
    },
    async getDelivery(request, context) {
      const found = await getDelivery(dependencies, organizationOf(request, context), request.deliveryId);
      return DeliveryResponse.fromPartial({ delivery: deliveryMessage(found.delivery, found.attempts) });
    },
    async listAttempts(request, context) {
      const { limit = 0, cursor = '' } = request.page ?? {};
      const { rows, nextCursor } = await listAttempts(dependencies, {
        organizationId: organizationOf(request, context),
        endpointId: request.agentEndpointId,
        outcome: request.outcome,
        ...searchOf(request),
        limit,
        cursor,
      });
      const attempts = rows.map((row) => ({
        attempt: attemptMessage(row),
        deliveryId: row.delivery_id,
        eventType: row.event_type,
      }));
      return ListAttemptsResponse.fromPartial({ attempts, nextCursor });
    },
    async rotateSecret(request, context) {
      const { endpoint, secret } = await rotateSecret(dependencies, {
        organizationId: organizationOf(request, context),
        endpointId: request.agentEndpointId,
        ...parseBody(SecretRotation, request.body, insecureUrls),
        actorKeyId: context.caller?.keyId ?? '',
      });
      return endpointResponse(endpoint, { secret });
    },
    async recoverEndpoint(request, context) {
      const { recovery, replayed } = await recoverEndpoint(dependencies, {
        organizationId: organizationOf(request, context),
        endpointId: request.agentEndpointId,
        ...parseBody(RecoveryRequest, request.body, insecureUrls),
        actorKeyId: context.caller?.keyId ?? '',
        idempotency: request.idempotency,
      });
      return RecoveryResponse.fromPartial({ recovery: recoveryMessage(recovery), replayed });
    },
    async listRecoveries(request, context) {
      const { limit = 0, cursor = '' } = request.page ?? {};
      const { rows, nextCursor } = await listRecoveries(dependencies, {
        organizationId: organizationOf(request, context),
        endpointId: request.agentEndpointId,
        limit,
        cursor,
      });
      return ListRecoveriesResponse.fromPartial({ recoveries: rows.map(recoveryMessage), nextCursor });
    },
    async testEndpoint(request, context) {
      const { delivery, replayed } = await testEndpoint(dependencies, {
        organizationId: organizationOf(request, context),
        endpointId: request.agentEndpointId,
        idempotency: request.idempotency,
      });
      return DeliveryResponse.fromPartial({ delivery: deliveryMessage(delivery), replayed });
    },
    async retryDelivery(request, context) {
      const organizationId = organizationOf(request, context);
      const { delivery, attempts } = await retryDelivery(dependencies, organizationId, request.deliveryId);
      return DeliveryResponse.fromPartial({ delivery: deliveryMessage(delivery, attempts) });
    },
    async listEvents(request, context) {
      const { after, types, limit, waitMs, fromNow } = request;
      const { events, nextCursor, hasMore } = await listEvents(dependencies, {
        organizationId: organizationOf(request, context),
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

const searchOf = ({ search }: { search?: Search | undefined }): SearchRequest => ({
  type: search?.type ?? '',
  since: search?.since ?? '',
  until: search?.until ?? '',
});
