import { AppError, unauthorized } from '@parley/errors';
import { serviceCaller, systemClock, type CallContext, type Caller } from '@parley/runtime';
import {
  type ClaimedJob,
  heartbeat,
  type ClaimRequest,
  type HandedJob,
  type JobQueue,
  failClaimed,
  releaseJob,
  restSeconds,
} from '../../books';
import type { RuntimeConfigurations } from '../workers/runtime-configuration';
import type { Telephony } from '../../telephony';

type Needs = Pick<Telephony, 'db' | 'agents' | 'controls' | 'settings' | 'clock' | 'onCommit'>;

export interface ClaimedWork extends HandedJob {
  /** JSON of RuntimeConfiguration. */
  readonly runtimeConfiguration: string;
}

/** A claim as received, with its caller. */
export interface WorkerClaim extends Omit<ClaimRequest, 'refused'> {
  readonly caller: Caller;
}

/**
 * Waits for jobs and returns them together with the pinned configuration of their calls. Jobs that cannot be assigned return to the queue: immediately if the
 * worker stopped waiting, after a delay if the agents or the voice-stack service did not respond. A call fails if its publication no longer exists, or its
 * agent was set inactive while it waited. If this took long, for example because the process was stalled, only jobs still leased under the same epoch are
 * returned. The worker's credential is checked again directly before that, however long the wait was.
 * @throws UnauthorizedError for a key that was revoked or expired in the meantime; internal_error 503 while that cannot be determined
 */
export async function claimJobs(
  telephony: Needs,
  queue: Pick<JobQueue, 'claim'>,
  configurations: RuntimeConfigurations,
  { caller, ...claim }: WorkerClaim,
  context: CallContext,
): Promise<ClaimedWork[]> {
  const credential = credentialOf(telephony, caller);
  const claimed = await queue.claim({ ...claim, refused: () => credential.refused() }, context.signal);
  const work: ClaimedWork[] = [];
  for (const job of claimed) {
    if (context.signal.aborted) {
      await releaseJob(telephony, job, 0);
      continue;
    }
    const configuration = await loadConfiguration(telephony, configurations, job, context);
    if (configuration !== undefined) work.push({ ...job, runtimeConfiguration: configuration });
  }
  if (work.length === 0) return work;
  let checked = false;
  try {
    checked = await credential.isGood();
    return checked ? await stillLeased(telephony, claim.organizationId, work) : [];
  } finally {
    if (!checked) for (const job of work) await releaseJob(telephony, job, 0);
  }
}

/** Returns the jobs whose lease did not expire and was not taken over while this process was stalled or waited for other services. */
async function stillLeased<Job extends HandedJob>(
  telephony: Needs,
  organizationId: string,
  work: readonly Job[],
): Promise<Job[]> {
  const sureUntilMs = Math.min(...work.map(({ claimedMs }) => claimedMs)) + telephony.settings.leaseSeconds * 100;
  if (systemClock.monotonicMs() < sureUntilMs) return [...work];
  const leases = await heartbeat(telephony, organizationId, work);
  return work.filter((_, index) => leases[index]?.state === 'held');
}

interface CredentialCheck {
  /** Whether the key is revoked or expired, according to the current control state. */
  refused(): boolean;
  /**
   * Whether the key is valid according to a control state that is at most one second old. False if that state cannot show whether the key was revoked since the
   * claim arrived: the worker then claims again, and the gateway verifies its key.
   * @throws AppError UnauthorizedError; internal_error 503
   */
  isGood(): Promise<boolean>;
}

function credentialOf({ controls, clock }: Needs, { keyId, expiresAtMs }: Caller): CredentialCheck {
  const { generation, epoch } = controls;
  const refused = (): boolean =>
    controls.isRevoked(keyId) || (expiresAtMs !== undefined && clock.now().getTime() >= expiresAtMs);
  return {
    refused,
    async isGood() {
      if (!controls.trusted()) await controls.refreshed();
      if (refused()) throw unauthorized();
      return controls.generation === generation && controls.knowsSince(BigInt(epoch));
    },
  };
}

async function loadConfiguration(
  telephony: Needs,
  configurations: RuntimeConfigurations,
  job: ClaimedJob,
  context: CallContext,
): Promise<string | undefined> {
  const { organizationId, agentId } = job.call;
  try {
    // Requested on behalf of the platform, because a hosted worker's credential gives access to no organization.
    const asking = { ...context, caller: serviceCaller };
    const { status } = await telephony.agents.getAgentForCall({ organizationId, agentId }, asking);
    // Inactive agents can chat too, so that they can be tested before activation.
    if (status !== 'inactive' || job.call.channel === 'chat') return await configurations.of(job.call, context);
    await failClaimed(telephony, job, 'agent_inactive');
    return undefined;
  } catch (error) {
    context.log.warn({ err: error, job_id: job.jobId, call_id: job.call.callId }, 'a claimed job cannot be handed out');
    const gone = error instanceof AppError && error.code === 'NotFoundError';
    if (gone) await failClaimed(telephony, job, 'configuration_unavailable');
    else await releaseJob(telephony, job, restSeconds);
    return undefined;
  }
}
