import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.getControls, async ({ params, clients, context }) =>
  resourceAnswer(await clients.telephony.getControls({ organizationId: params.organization_id }, context)),
);
