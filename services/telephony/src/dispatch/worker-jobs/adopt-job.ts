import type { EndedReason, WorkerResume } from '@parley/contract';
import { AppError, conflict } from '@parley/errors';
import { serviceCaller, type CallContext, type Queryable } from '@parley/runtime';
import { adoptByToken, type ClaimedJob, failAdoptable, type TokenedJob, readResume } from '../../books';
import type { RuntimeConfigurations } from '../workers/runtime-configuration';
import type { Telephony } from '../../telephony';
import { durationOf, sizeOf, withoutGap } from '../recordings/recording-parts.rules';
import { listParts, passUpload } from '../recordings/recording-uploads.sql';

type Needs = Pick<Telephony, 'db' | 'agents' | 'controls' | 'settings' | 'onCommit'>;

export interface AdoptInput {
  /** Empty for a hosted worker, which adopts calls of all organizations. */
  readonly organizationId: string;
  readonly token: string;
  readonly workerId: string;
  /** The worker's capabilities. */
  readonly capabilities: readonly string[];
  /** The digest of its declaration. */
  readonly declaration: string;
}

export interface AdoptedJob extends ClaimedJob {
  /** JSON of RuntimeConfiguration. */
  readonly runtimeConfiguration: string;
  /** JSON of WorkerResume; undefined for a new call. */
  readonly resume: string | undefined;
}

/**
 * Leases the job of a token to the worker that has the connection (ADR 56); only one worker gets it, even with concurrent requests. Until that worker reports,
 * repeated requests get the same response, because the first one may have been lost. The call's configuration is loaded first, so that an unavailable service
 * does not use up the token. The call fails if maintenance or a suspension has begun since it was created, or its agent was set inactive; a call that was
 * answered and lost its worker continues.
 * @throws NotFoundError for a token that is unknown, expired or another organization's; ConflictError for a used token, a worker that cannot conduct the call,
 * and a call that failed; internal_error 503
 */
export async function adoptJob(
  telephony: Needs,
  configurations: RuntimeConfigurations,
  input: AdoptInput,
  context: CallContext,
): Promise<AdoptedJob> {
  const { db, settings } = telephony;
  const adopter = { ...input, leaseSeconds: settings.leaseSeconds };
  const { claimed, prepared } = await adoptByToken(db, input.token, adopter, async (found) => {
    const { call, adoption } = found;
    if (adoption !== undefined) return configurations.of(call, context);
    const missing = call.needs.filter((need) => !input.capabilities.includes(need));
    if (missing.length > 0)
      throw conflict(`the worker cannot conduct the call: it does not support ${missing.join(', ')}`);
    return call.status === 'answered'
      ? configurations.of(call, context)
      : loadConfiguration(telephony, configurations, found, context);
  });
  const resume = await loadResume(db, { ...claimed.call, epoch: claimed.epoch });
  return { ...claimed, runtimeConfiguration: prepared, resume };
}

async function loadConfiguration(
  telephony: Needs,
  configurations: RuntimeConfigurations,
  { jobId, call }: TokenedJob,
  context: CallContext,
): Promise<string> {
  const { organizationId, agentId } = call;
  const refuse = async (endedReason: EndedReason): Promise<never> => {
    await failAdoptable(telephony, organizationId, jobId, endedReason);
    throw conflict(`the call has failed: ${endedReason}`);
  };
  const { controls } = telephony;
  if (!controls.trusted()) await controls.refreshed();
  if (controls.maintenance().active) return refuse('platform_maintenance');
  if (controls.isSuspendedOrganization(organizationId) || controls.isSuspendedAgent(agentId))
    return refuse('suspended');
  try {
    // Requested on behalf of the platform, because a hosted worker's credential gives access to no organization.
    const asking = { ...context, caller: serviceCaller };
    const { status } = await telephony.agents.getAgentForCall({ organizationId, agentId }, asking);
    if (status !== 'inactive') return await configurations.of(call, context);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NotFoundError') throw error;
    return refuse('configuration_unavailable');
  }
  return refuse('agent_inactive');
}

interface ResumedCall {
  readonly organizationId: string;
  readonly callId: string;
  /** The epoch of the new lease. */
  readonly epoch: string;
}

/** JSON of the state from which a worker continues an adopted call; undefined for a new call. */
function loadResume(db: Queryable, { organizationId, callId, epoch }: ResumedCall): Promise<string | undefined> {
  return readResume(db, organizationId, callId, () => goOnRecording(db, organizationId, callId, epoch));
}

async function goOnRecording(
  db: Queryable,
  organizationId: string,
  callId: string,
  epoch: string,
): Promise<WorkerResume['recording']> {
  if (!(await passUpload(db, organizationId, callId, epoch))) return null;
  const parts = withoutGap(await listParts(db, organizationId, callId));
  return { parts: parts.length, duration_ms: durationOf(sizeOf(parts)) };
}
