import { routes } from '@parley/contract';
import { documentAnswer } from '../../answer';
import { named } from '../../middleware/named-organization';
import { route } from '../../route';
import { pageOf } from '../../middleware/page-of';

export default route(routes.listCalls, async ({ query, organizationId, clients, context }) => {
  const request = {
    organizationId: named(organizationId),
    agentId: query.agent_id ?? '',
    projectId: query.project_id ?? '',
    status: query.status ?? '',
    direction: query.direction ?? '',
    page: pageOf(query),
  };
  return documentAnswer((await clients.telephony.listCalls(request, context)).document);
});
