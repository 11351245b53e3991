import { routes } from '@parley/contract';
import { writtenAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.createMessage, async ({ body, organizationId, idempotency, clients, context }) =>
  writtenAnswer(await clients.telephony.createMessage({ organizationId, body: body.document(), idempotency }, context)),
);
