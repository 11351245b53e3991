import type { EndedReason } from '@parley/contract';
import { AppError, conflict, notFound } from '@parley/errors';
import { serviceCaller, type CallContext } from '@parley/runtime';
import { findByToken, leaseAdoptable, type TokenedJob, type ClaimedJob, adoptionTokenHash } from '../queue';
import { loadResume } from '../handover';
import { failAdoptable } from './fail-unadopted';
import type { RuntimeConfigurations } from '../workers';
import type { Telephony } from '../telephony';

export interface AdoptInput {
  /** Empty for a hosted worker, which adopts calls of every organization. */
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
 * Gives the job of a token to the worker that has the connection (ADR 56): once, whatever the number of workers that ask at the same time.
 * The worker that has it is returned the same again until it reports, for the answer may have been lost. What the
 * call runs on is read before, so that a service that is unavailable uses no token up. A call fails here that began before a maintenance window or a
 * suspension, or whose agent was set inactive since; one that was answered and lost its worker goes on.
 * @throws NotFoundError for a token that is unknown, another organization's or over; ConflictError for a used one, a worker that cannot conduct the
 * call, and a call that failed; internal_error 503
 */
export async function adoptJob(
  telephony: Telephony,
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
  if (missing.length > 0) throw conflict(`the worker cannot conduct the call: it does not offer ${missing.join(', ')}`);
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
  telephony: Telephony,
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
    // On behalf of the platform: a hosted worker's credential has access to no organization.
    const asking = { ...context, caller: serviceCaller };
    const { status } = await telephony.agents.getAgentForCall({ organizationId, agentId }, asking);
    if (status !== 'inactive') return await configurations.of(call, context);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NotFoundError') throw error;
    return refuse('configuration_unavailable');
  }
  return refuse('agent_inactive');
}
