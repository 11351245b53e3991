import { routes } from '@parley/contract';
import { documentAnswer } from '../../answer';
import { named } from '../../middleware/named-organization';
import { route } from '../../route';
import { pageOf } from '../../middleware/page-of';

export default route(routes.listAgents, async ({ query, organizationId, clients, context }) => {
  const request = { organizationId: named(organizationId), projectId: query.project_id ?? '', page: pageOf(query) };
  return documentAnswer((await clients.agents.listAgents(request, context)).document);
});
