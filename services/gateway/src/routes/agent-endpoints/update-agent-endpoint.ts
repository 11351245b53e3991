import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { agentEndpointRecord } from '../../render/agent-endpoint';
import { present } from '../../render/present';
import { route } from '../../route';

export default route(
  routes.updateAgentEndpoint,
  async ({ params, body, organizationId, ifMatch, clients, context }) => {
    const response = await clients.webhooks.updateEndpoint(
      { organizationId, agentEndpointId: params.agent_endpoint_id, body: body.document(), ifMatch },
      context,
    );
    return jsonAnswer(agentEndpointRecord(present(response.endpoint, 'endpoint')), response);
  },
);
