import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { reportAnswer } from '../../render/worker-job';
import { route } from '../../route';

export default route(routes.reportGatewayCall, async ({ params, body, organizationId, clients, context }) => {
  const { seq, events } = body.fields();
  const request = {
    organizationId,
    callId: params.call_id,
    seq: String(seq),
    events: events.map((event) => ({
      type: event.type,
      endedReason: event.ended_reason ?? '',
      reasonDetail: event.reason_detail ?? '',
    })),
  };
  return jsonAnswer(reportAnswer(await clients.telephony.reportGatewayCall(request, context)));
});
