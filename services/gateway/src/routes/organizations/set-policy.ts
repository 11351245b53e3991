import { routes } from '@parley/contract';
import { writtenAnswer } from '../../render/written';
import { route } from '../../route';

export default route(routes.setPolicy, async ({ params, body, idempotency, ifMatch, clients, context }) => {
  const request = { organizationId: params.organization_id, body: body.document(), idempotency, ifMatch };
  return writtenAnswer(await clients.telephony.setPolicy(request, context));
});
