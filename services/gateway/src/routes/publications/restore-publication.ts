import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

/** As a save, it may compile and publish up to 32 languages. */
const deadlineMs = 20_000;

export default route(routes.restorePublication, async ({ params, organizationId, ifMatch, clients, context }) => {
  const request = { organizationId, agentId: params.agent_id, version: params.version, ifMatch };
  return resourceAnswer(await clients.agents.restorePublication(request, context, { deadlineMs }));
});
