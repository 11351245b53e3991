import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.getAgent, async ({ params, organizationId, clients, context }) =>
  resourceAnswer(await clients.agents.getAgent({ organizationId, agentId: params.agent_id }, context)),
);
