import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.getWorkflow, async ({ params, query, organizationId, clients, context }) => {
  const { offset, limit } = query;
  const request = { organizationId, agentId: params.agent_id, offset, limit };
  return resourceAnswer(await clients.agents.getWorkflow(request, context));
});
