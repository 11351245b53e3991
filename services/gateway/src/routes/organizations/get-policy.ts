import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.getPolicy, async ({ params, clients, context }) =>
  resourceAnswer(await clients.telephony.getPolicy({ organizationId: params.organization_id }, context)),
);
