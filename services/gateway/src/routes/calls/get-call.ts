import { routes } from '@parley/contract';
import { callAnswer } from '../../render/call';
import { route } from '../../route';

export default route(routes.getCall, async ({ params, organizationId, clients, context }) =>
  callAnswer(await clients.telephony.getCall({ organizationId, callId: params.call_id }, context)),
);
