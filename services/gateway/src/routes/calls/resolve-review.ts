import { routes } from '@parley/contract';
import { callAnswer } from '../../render/call';
import { route } from '../../route';

export default route(routes.resolveReview, async ({ params, body, organizationId, clients, context }) => {
  const request = { organizationId, callId: params.call_id, body: body.document() };
  return callAnswer(await clients.telephony.resolveReview(request, context));
});
