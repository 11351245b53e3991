import { AppError, conflict, notFound } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { isId, type OutgoingContext } from '@parley/runtime';
import { readAdmissionSnapshot, refuseSuspended, sendingNumber } from '../books';
import type { Telephony } from '../telephony';

/** The agent that conducts a campaign's calls. @throws NotFoundError; internal_error 503 */
export async function agentOfCampaign(
  { agents }: Pick<Telephony, 'agents'>,
  organizationId: string,
  agentId: string,
  context: OutgoingContext,
): Promise<AgentForCall> {
  if (!isId('agt', agentId)) throw notFound('agent');
  return agents.getAgentForCall({ organizationId, agentId }, context);
}

/**
 * The number to call from: the specified one, which must belong to the agent's project, or the project's only number if none is specified.
 * @throws BadRequestError
 */
export async function callingNumber(
  { db }: Pick<Telephony, 'db'>,
  agent: AgentForCall,
  from: string | undefined,
): Promise<string> {
  const question = from === undefined ? { anyNumber: true } : { from: [from] };
  const snapshot = await readAdmissionSnapshot(db, agent.organizationId, question);
  return (await sendingNumber(db, snapshot, from, agent)).phoneNumber;
}

/** @throws ConflictError, SuspensionError, realtime_config_not_runnable if the agent cannot place calls now */
export async function refuseUnready({ controls }: Pick<Telephony, 'controls'>, agent: AgentForCall): Promise<void> {
  if (agent.status === 'inactive') throw conflict('the agent is inactive');
  await refuseSuspended(controls, agent);
  const reason = agent.blockers[0]?.code;
  if (reason === undefined) return;
  throw new AppError('realtime_config_not_runnable', 'the agent cannot run a call', {
    fields: { reason, blockers: agent.blockers.map(({ code, scope, detail }) => ({ code, scope, detail })) },
  });
}
