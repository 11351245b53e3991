import type { AgentEndpointCreated, AgentEndpointRecord } from '@parley/contract';
import type { Endpoint } from './endpoint.rules';

/** An endpoint as shown in reads. */
export const endpointRecord = (endpoint: Endpoint): AgentEndpointRecord => ({
  agent_endpoint_id: endpoint.id,
  organization_id: endpoint.organizationId,
  project_id: endpoint.projectId,
  ...(endpoint.name === '' ? {} : { name: endpoint.name }),
  webhook_url: endpoint.webhookUrl,
  audio_stream_url: endpoint.audioStreamUrl,
  events: [...endpoint.events],
  ...(endpoint.maxPerSecond === null ? {} : { max_deliveries_per_second: endpoint.maxPerSecond }),
  status: endpoint.status,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
});

/** The response to the creation, the only one with the signing secret. Replays of the response omit it. */
export const endpointCreated = (endpoint: Endpoint, secret: string | undefined): AgentEndpointCreated => ({
  ...endpointRecord(endpoint),
  ...(secret === undefined ? {} : { secret }),
});
