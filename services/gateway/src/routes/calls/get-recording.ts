import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.getRecording, async ({ params, organizationId, clients, context }) =>
  resourceAnswer(await clients.telephony.getRecording({ organizationId, callId: params.call_id }, context)),
);
