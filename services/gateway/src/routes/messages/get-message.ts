import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.getMessage, async ({ params, organizationId, clients, context }) =>
  resourceAnswer(await clients.telephony.getMessage({ organizationId, messageId: params.message_id }, context)),
);
