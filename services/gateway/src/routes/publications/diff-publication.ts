import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.diffPublication, async ({ params, query, organizationId, clients, context }) => {
  const request = { organizationId, agentId: params.agent_id, version: params.version, against: query.against };
  return resourceAnswer(await clients.agents.diffPublication(request, context));
});
