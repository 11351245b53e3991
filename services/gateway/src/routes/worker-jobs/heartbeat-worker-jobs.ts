import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { heartbeatAnswer } from '../../render/worker-job';
import { route } from '../../route';

export default route(routes.heartbeatWorkerJobs, async ({ body, organizationId, clients, context }) => {
  const { worker_id: workerId, leases } = body.fields();
  const request = {
    organizationId,
    workerId,
    leases: leases.map(({ job_id: jobId, epoch }) => ({ jobId, epoch: String(epoch) })),
  };
  return jsonAnswer(heartbeatAnswer(await clients.telephony.heartbeat(request, context)));
});
