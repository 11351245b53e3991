import { routes } from '@parley/contract';
import { documentAnswer } from '../../answer';
import { named } from '../../middleware/named-organization';
import { pageOf } from '../../middleware/page-of';
import { route } from '../../route';

export default route(routes.listMessages, async ({ query, organizationId, clients, context }) => {
  const request = {
    organizationId: named(organizationId),
    agentId: query.agent_id ?? '',
    projectId: query.project_id ?? '',
    status: query.status ?? '',
    direction: query.direction ?? '',
    page: pageOf(query),
  };
  return documentAnswer((await clients.telephony.listMessages(request, context)).document);
});
