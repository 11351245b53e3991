import type { EndedReason } from '@parley/contract';
import { AppError, conflict, notFound } from '@parley/errors';
import { serviceCaller, type CallContext } from '@parley/runtime';
import { findByToken, leaseAdoptable, type TokenedJob, type ClaimedJob, adoptionTokenHash } from '../../books';
import { loadResume } from '../handover/resume';
import { failAdoptable } from './fail-unadopted';
import type { RuntimeConfigurations } from '../workers/runtime-configuration';
import type { Telephony } from '../../telephony';

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
  const find = () => findByToken(db, input.organizationId, adoptionTokenHash(input.token));
  const repeated = async ({ jobId, call, adoption }: TokenedJob): Promise<AdoptedJob> => {
    if (adoption?.fresh !== true || adoption.workerId !== input.workerId) throw conflict('the token was used');
    const runtimeConfiguration = await configurations.of(call, context);
    const resume = await loadResume(db, { ...call, epoch: adoption.epoch });
    return { jobId, kind: 'call', epoch: adoption.epoch, call, runtimeConfiguration, resume };
  };
  const found = await find();
  if (found?.adoption !== undefined) return repeated(found);
  if (found?.open !== true) throw notFound('call of this token');
  const { jobId, call } = found;
  const missing = call.needs.filter((need) => !input.capabilities.includes(need));
  if (missing.length > 0)
    throw conflict(`the worker cannot conduct the call: it does not support ${missing.join(', ')}`);
  const runtimeConfiguration =
    call.status === 'answered'
      ? await configurations.of(call, context)
      : await loadConfiguration(telephony, configurations, found, context);
  const adopter = { ...input, leaseSeconds: settings.leaseSeconds };
  const epoch = await leaseAdoptable(db, jobId, adopter);
  if (epoch === undefined) {
    const now = await find();
    if (now === undefined) throw notFound('call of this token');
    return repeated(now);
  }
  const resume = await loadResume(db, { ...call, epoch });
  return { jobId, kind: 'call', epoch, call, runtimeConfiguration, resume };
}

async function loadConfiguration(
  telephony: Needs,
  configurations: RuntimeConfigurations,
  { jobId, call }: TokenedJob,
  context: CallContext,
): Promise<string> {
  const { organizationId, agentId, callId } = call;
  const refuse = async (endedReason: EndedReason): Promise<never> => {
    await failAdoptable(telephony, { jobId, organizationId, callId }, endedReason);
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
