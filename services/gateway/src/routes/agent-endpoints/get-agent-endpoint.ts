import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { agentEndpointRecord } from '../../render/agent-endpoint';
import { present } from '../../render/present';
import { route } from '../../route';

export default route(routes.getAgentEndpoint, async ({ params, organizationId, clients, context }) => {
  const request = { organizationId, agentEndpointId: params.agent_endpoint_id };
  const response = await clients.webhooks.getEndpoint(request, context);
  return jsonAnswer(agentEndpointRecord(present(response.endpoint, 'endpoint')), response);
});
