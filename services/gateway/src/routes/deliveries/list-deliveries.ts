import { routes } from '@parley/contract';
import { pageAnswer } from '../../answer';
import { deliverySummary } from '../../render/delivery';
import { route } from '../../route';
import { pageOf } from '../../middleware/page-of';
import { searchOf } from '../../middleware/search-of';

export default route(routes.listDeliveries, async ({ params, query, organizationId, clients, context }) => {
  const { deliveries, nextCursor } = await clients.webhooks.listDeliveries(
    {
      organizationId,
      agentEndpointId: params.agent_endpoint_id,
      status: query.status ?? '',
      search: searchOf(query),
      page: pageOf(query),
    },
    context,
  );
  return pageAnswer(deliveries.map(deliverySummary), nextCursor);
});
