import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.getPublication, async ({ params, organizationId, clients, context }) => {
  const request = { organizationId, agentId: params.agent_id, version: params.version, ifMatch: '' };
  return resourceAnswer(await clients.agents.getPublication(request, context));
});
