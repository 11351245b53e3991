import { routes } from '@parley/contract';
import { pageAnswer } from '../../answer';
import { pageOf } from '../../middleware/page-of';
import { recoveryRecord } from '../../render/recovery';
import { route } from '../../route';

export default route(routes.listRecoveries, async ({ params, query, organizationId, clients, context }) => {
  const request = { organizationId, agentEndpointId: params.agent_endpoint_id, page: pageOf(query) };
  const { recoveries, nextCursor } = await clients.webhooks.listRecoveries(request, context);
  return pageAnswer(recoveries.map(recoveryRecord), nextCursor);
});
