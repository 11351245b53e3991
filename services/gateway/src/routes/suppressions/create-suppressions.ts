import { routes } from '@parley/contract';
import { writtenAnswer } from '../../render/written';
import { named } from '../../middleware/named-organization';
import { route } from '../../route';

export default route(routes.createSuppressions, async ({ body, organizationId, idempotency, clients, context }) => {
  const request = { organizationId: named(organizationId), body: body.document(), idempotency, ifMatch: '' };
  return writtenAnswer(await clients.telephony.createSuppressions(request, context));
});
