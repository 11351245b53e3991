import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { deliveryRecord } from '../../render/delivery';
import { present } from '../../render/present';
import { route } from '../../route';

export default route(routes.getDelivery, async ({ params, organizationId, clients, context }) => {
  const request = { organizationId, deliveryId: params.delivery_id };
  const { delivery } = await clients.webhooks.getDelivery(request, context);
  return jsonAnswer(deliveryRecord(present(delivery, 'delivery')));
});
