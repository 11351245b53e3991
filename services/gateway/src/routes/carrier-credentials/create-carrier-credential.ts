import { routes } from '@parley/contract';
import { named } from '../../middleware/named-organization';
import { writtenAnswer } from '../../render/written';
import { route } from '../../route';

export default route(
  routes.createCarrierCredential,
  async ({ body, organizationId, idempotency, clients, context }) => {
    const request = { organizationId: named(organizationId), body: body.document(), idempotency, ifMatch: '' };
    return writtenAnswer(await clients.telephony.createCarrierCredential(request, context));
  },
);
