import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { agentEndpointCreated } from '../../render/agent-endpoint';
import { route } from '../../route';

export default route(routes.createAgentEndpoint, async ({ body, organizationId, idempotency, clients, context }) => {
  const response = await clients.webhooks.createEndpoint(
    { organizationId, body: body.document(), idempotency },
    context,
  );
  return jsonAnswer(agentEndpointCreated(response), response);
});
