import { AgentEndpoint, AgentEndpointUpdate } from '@parley/contract';
import {
  DeliveryResponse,
  ListDeliveriesResponse,
  ListEndpointsResponse,
  WebhooksServiceService,
  type WebhooksServiceServer,
} from '@parley/proto/webhooks';
import { grpcService, type GrpcService } from '@parley/runtime';
import { createEndpoint } from '../usecases/create-endpoint';
import { deleteEndpoint } from '../usecases/delete-endpoint';
import type { Dependencies } from '../usecases/dependencies';
import { getEndpoint } from '../usecases/get-endpoint';
import { listEndpoints } from '../usecases/list-endpoints';
import { getDelivery, listDeliveries } from '../usecases/read-deliveries';
import { updateEndpoint } from '../usecases/update-endpoint';
import { deliveryMessage, endpointMessage, endpointResponse } from './messages';
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
        await deleteEndpoint(dependencies, organizationOf(request, context), request.agentEndpointId),
      );
    },
    async listDeliveries(request, context) {
      const { limit = 0, cursor = '' } = request.page ?? {};
      const { rows, nextCursor } = await listDeliveries(dependencies, {
        organizationId: organizationOf(request, context),
        endpointId: request.agentEndpointId,
        status: request.status,
        limit,
        cursor,
      });
      return ListDeliveriesResponse.fromPartial({ deliveries: rows.map((row) => deliveryMessage(row)), nextCursor });
    },
    async getDelivery(request, context) {
      const found = await getDelivery(dependencies, organizationOf(request, context), request.deliveryId);
      return DeliveryResponse.fromPartial({ delivery: deliveryMessage(found.delivery, found.attempts) });
    },
  });
}
