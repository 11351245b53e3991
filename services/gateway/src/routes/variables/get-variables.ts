import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.getVariables, async ({ params, organizationId, clients, context }) =>
  resourceAnswer(await clients.agents.getVariables({ organizationId, agentId: params.agent_id }, context)),
);
