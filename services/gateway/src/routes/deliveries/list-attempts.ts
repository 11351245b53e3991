import { routes } from '@parley/contract';
import { pageAnswer } from '../../answer';
import { pageOf } from '../../middleware/page-of';
import { attemptSummary } from '../../render/delivery';
import { searchOf } from '../../middleware/search-of';
import { route } from '../../route';

export default route(routes.listAttempts, async ({ params, query, organizationId, clients, context }) => {
  const { attempts, nextCursor } = await clients.webhooks.listAttempts(
    {
      organizationId,
      agentEndpointId: params.agent_endpoint_id,
      outcome: query.outcome ?? '',
      search: searchOf(query),
      page: pageOf(query),
    },
    context,
  );
  return pageAnswer(attempts.map(attemptSummary), nextCursor);
});
