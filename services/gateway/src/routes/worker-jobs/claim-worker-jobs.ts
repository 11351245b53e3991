import { routes } from '@parley/contract';
import { claimedJobs } from '../../render/worker-job';
import { route } from '../../route';

/** Of a long poll: with its margin it stays within the longest deadline of a call, 30 s. */
const longestWaitSeconds = 25;
const marginMs = 5_000;

export default route(routes.claimWorkerJobs, async ({ body, organizationId, clients, context }) => {
  const fields = body.fields();
  const waitSeconds = Math.min(fields.wait_seconds ?? 0, longestWaitSeconds);
  const { jobs } = await clients.telephony.claimJobs(
    { organizationId, kinds: fields.kinds, capacity: fields.capacity, workerId: fields.worker_id, waitSeconds },
    context,
    { deadlineMs: waitSeconds * 1_000 + marginMs },
  );
  return { body: claimedJobs(jobs) };
});
