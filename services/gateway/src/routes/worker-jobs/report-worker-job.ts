import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { reportAnswer } from '../../render/worker-job';
import { route } from '../../route';

export default route(routes.reportWorkerJob, async ({ params, body, organizationId, clients, context }) => {
  const { epoch, seq, events } = body.fields();
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
  };
  return jsonAnswer(reportAnswer(await clients.telephony.reportJob(request, context)));
});
