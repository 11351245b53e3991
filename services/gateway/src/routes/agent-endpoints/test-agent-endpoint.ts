import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { deliverySummary } from '../../render/delivery';
import { present } from '../../render/present';
import { route } from '../../route';

export default route(routes.testEndpoint, async ({ params, organizationId, idempotency, clients, context }) => {
  const { delivery, replayed } = await clients.webhooks.testEndpoint(
    { organizationId, agentEndpointId: params.agent_endpoint_id, idempotency },
    context,
  );
  return jsonAnswer(deliverySummary(present(delivery, 'delivery')), { replayed });
});
