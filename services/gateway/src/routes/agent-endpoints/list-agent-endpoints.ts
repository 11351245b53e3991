import { routes } from '@parley/contract';
import { pageAnswer } from '../../answer';
import { named } from '../../middleware/named-organization';
import { agentEndpointRecord } from '../../render/agent-endpoint';
import { route } from '../../route';
import { pageOf } from '../../middleware/page-of';

export default route(routes.listAgentEndpoints, async ({ query, organizationId, clients, context }) => {
  const request = { organizationId: named(organizationId), projectId: query.project_id ?? '', page: pageOf(query) };
  const { endpoints, nextCursor } = await clients.webhooks.listEndpoints(request, context);
  return pageAnswer(endpoints.map(agentEndpointRecord), nextCursor);
});
