import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.suspendAgent, async ({ params, organizationId, ifMatch, clients, context }) =>
  resourceAnswer(
    await clients.agents.suspendAgent({ organizationId, agentId: params.agent_id, body: undefined, ifMatch }, context),
  ),
);
