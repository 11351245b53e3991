import { AppError } from '@parley/errors';
import type { CallContext } from '@parley/runtime';
import type { ClaimedJob } from '../db/jobs/claim';
import type { ClaimRequest, JobQueue } from '../jobs/job-queue';
import { failClaimed, releaseJob, restSeconds } from './release-job';
import type { RuntimeConfigurations } from './runtime-configuration';
import type { Telephony } from './telephony';

export interface ClaimedWork extends ClaimedJob {
  /** JSON of RuntimeConfiguration. */
  readonly runtimeConfiguration: string;
}

/**
 * Waits for jobs and hands them out with what their calls are pinned to. What cannot be handed out goes back: at once when
 * the worker gave up waiting, after a rest when voice-stack did not answer. A call whose publication is gone has failed.
 */
export async function claimJobs(
  telephony: Telephony,
  queue: Pick<JobQueue, 'claim'>,
  configurations: RuntimeConfigurations,
  request: ClaimRequest,
  context: CallContext,
): Promise<ClaimedWork[]> {
  const claimed = await queue.claim(request, context.signal);
  const work: ClaimedWork[] = [];
  for (const job of claimed) {
    if (context.signal.aborted) {
      await releaseJob(telephony, job, 0);
      continue;
    }
    const configuration = await configurationOf(telephony, configurations, job, context);
    if (configuration !== undefined) work.push({ ...job, runtimeConfiguration: configuration });
  }
  return work;
}

async function configurationOf(
  telephony: Telephony,
  configurations: RuntimeConfigurations,
  job: ClaimedJob,
  context: CallContext,
): Promise<string | undefined> {
  try {
    return await configurations.of(job.call, context);
  } catch (error) {
    context.log.warn({ err: error, job_id: job.jobId, call_id: job.call.callId }, 'a claimed job cannot be handed out');
    const gone = error instanceof AppError && error.code === 'NotFoundError';
    if (gone) await failClaimed(telephony, job, 'configuration_unavailable');
    else await releaseJob(telephony, job, restSeconds);
    return undefined;
  }
}
