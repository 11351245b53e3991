import { routes } from '@parley/contract';
import { resourceAnswer } from '../../answer';
import { route } from '../../route';

export default route(routes.getTranscript, async ({ params, organizationId, clients, context }) =>
  resourceAnswer(await clients.telephony.getTranscript({ organizationId, callId: params.call_id }, context)),
);
