import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.updateAgent, async ({ params, body, organizationId, ifMatch, clients, context }) =>
  resourceAnswer(
    await clients.agents.updateAgent(
      { organizationId, agentId: params.agent_id, body: body.document(), ifMatch },
      context,
    ),
  ),
);
