import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { agentEndpointRecord } from '../../render/agent-endpoint';
import { present } from '../../render/present';
import { route } from '../../route';

export default route(routes.deleteAgentEndpoint, async ({ params, organizationId, ifMatch, clients, context }) => {
  const request = { organizationId, agentEndpointId: params.agent_endpoint_id, ifMatch };
  const response = await clients.webhooks.deleteEndpoint(request, context);
  return jsonAnswer(agentEndpointRecord(present(response.endpoint, 'endpoint')), response);
});
