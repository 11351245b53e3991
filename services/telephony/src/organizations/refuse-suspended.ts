import { AppError, notFound } from '@parley/errors';
import type { Controls } from '../telephony';
import type { AgentForCall } from '@parley/proto/agents';

/**
 * 423 when an operator suspended the agent or its organization. Outside trust auth is asked first.
 * @throws AppError SuspensionError; internal_error 503 when auth cannot answer
 */
export async function refuseSuspended(
  controls: Controls,
  agent: { readonly agentId: string; readonly organizationId: string; readonly status: string },
): Promise<void> {
  if (!controls.trusted()) await controls.refreshed();
  if (controls.isSuspendedOrganization(agent.organizationId)) {
    throw new AppError('SuspensionError', 'the organization is suspended');
  }
  if (agent.status === 'suspended' || controls.isSuspendedAgent(agent.agentId)) {
    throw new AppError('SuspensionError', 'the agent is suspended');
  }
}

/**
 * A new record of an agent is in the agent's project: another one that the body names is answered like one that is not there
 * (as docs/reference/variables-and-workflows.md#templates says of template messages), also when it is the organization's own.
 * @param named empty for none
 */
export function refuseOtherProject({ projectId }: AgentForCall, named: string): void {
  if (named !== '' && named !== projectId) throw notFound('project');
}
