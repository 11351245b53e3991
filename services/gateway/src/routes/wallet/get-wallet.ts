import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { named } from '../../middleware/named-organization';
import { route } from '../../route';

export default route(routes.getWallet, async ({ organizationId, clients, context }) =>
  resourceAnswer(await clients.telephony.getWallet({ organizationId: named(organizationId) }, context)),
);
