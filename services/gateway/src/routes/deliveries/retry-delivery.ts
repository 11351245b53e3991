import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { deliveryRecord } from '../../render/delivery';
import { present } from '../../render/present';
import { route } from '../../route';

export default route(routes.retryDelivery, async ({ params, organizationId, clients, context }) => {
  const { delivery } = await clients.webhooks.retryDelivery(
    { organizationId, deliveryId: params.delivery_id },
    context,
  );
  return jsonAnswer(deliveryRecord(present(delivery, 'delivery')));
});
