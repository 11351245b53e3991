import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { reportAnswer } from '../../render/worker-job';
import { route } from '../../route';

export default route(routes.reportWorkerJob, async ({ params, body, organizationId, clients, context }) => {
  const { fields, refusal } = body.judged();
  const { epoch = 0, seq = 0, events = [] } = fields;
  const request = {
    organizationId,
    jobId: params.job_id,
    epoch: String(epoch),
    seq: String(seq),
    events: events.map((event) => ({
      type: event.type,
      endedReason: event.ended_reason ?? '',
      reasonDetail: event.reason_detail ?? '',
    })),
    refusal,
  };
  return jsonAnswer(reportAnswer(await clients.telephony.reportJob(request, context)));
});
