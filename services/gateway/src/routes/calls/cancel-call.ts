import { routes } from '@parley/contract';
import { callAnswer } from '../../render/call';
import { route } from '../../route';

export default route(routes.cancelCall, async ({ params, organizationId, clients, context }) =>
  callAnswer(await clients.telephony.cancelCall({ organizationId, callId: params.call_id }, context)),
);
