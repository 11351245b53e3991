import { routes } from '@parley/contract';
import { documentAnswer } from '../../answer';
import { pageOf } from '../../middleware/page-of';
import { route } from '../../route';

export default route(routes.listPublications, async ({ params, query, organizationId, clients, context }) => {
  const request = { organizationId, agentId: params.agent_id, page: pageOf(query) };
  return documentAnswer((await clients.agents.listPublications(request, context)).document);
});
