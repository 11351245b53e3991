import { endpointStatuses, eventTypes, type AgentEndpointCreated, type AgentEndpointRecord } from '@parley/contract';
import type { Endpoint, EndpointResponse } from '@parley/proto/webhooks';
import { oneOf } from './one-of';
import { present } from './present';

export const agentEndpointRecord = (endpoint: Endpoint): AgentEndpointRecord => ({
  agent_endpoint_id: endpoint.agentEndpointId,
  organization_id: endpoint.organizationId,
  project_id: endpoint.projectId,
  ...(endpoint.name === '' ? {} : { name: endpoint.name }),
  webhook_url: endpoint.webhookUrl,
  audio_stream_url: endpoint.audioStreamUrl,
  events: endpoint.events.map((type) => oneOf(eventTypes, type)),
  ...(endpoint.maxDeliveriesPerSecond === 0 ? {} : { max_deliveries_per_second: endpoint.maxDeliveriesPerSecond }),
  status: oneOf(endpointStatuses, endpoint.status),
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
});

/** The one answer that carries the signing secret; a replayed one does not. */
export function agentEndpointCreated({ endpoint, secret }: EndpointResponse): AgentEndpointCreated {
  const record = agentEndpointRecord(present(endpoint, 'endpoint'));
  return secret === '' ? record : { ...record, secret };
}
