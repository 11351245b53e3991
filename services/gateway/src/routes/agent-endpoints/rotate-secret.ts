import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { agentEndpointCreated } from '../../render/agent-endpoint';
import { route } from '../../route';

export default route(routes.rotateEndpointSecret, async ({ params, body, organizationId, clients, context }) => {
  const response = await clients.webhooks.rotateSecret(
    { organizationId, agentEndpointId: params.agent_endpoint_id, body: body.document() },
    context,
  );
  return jsonAnswer(agentEndpointCreated(response), response);
});
