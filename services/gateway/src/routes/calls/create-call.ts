import { routes } from '@parley/contract';
import { callAnswer } from '../../render/call';
import { route } from '../../route';

export default route(routes.createCall, async ({ body, organizationId, idempotency, clients, context }) =>
  callAnswer(await clients.telephony.createCall({ organizationId, body: body.document(), idempotency }, context)),
);
