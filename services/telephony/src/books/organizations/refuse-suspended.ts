import { AppError, notFound } from '@parley/errors';
import type { Controls } from '../../telephony';
import type { AgentForCall } from '@parley/proto/agents';

/**
 * Refuses with 423 if an operator suspended the agent or its organization. If the control state is not current, it is requested from auth first.
 * @throws AppError SuspensionError; internal_error 503 if auth does not respond
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
 * Checks that a project named in a request is the agent's, because new records belong to the agent's project. Any other project is reported as not found, even
 * one of the same organization (as docs/reference/variables-and-workflows.md#templates describes for template messages).
 * @param named empty for none
 */
export function refuseOtherProject({ projectId }: AgentForCall, named: string): void {
  if (named !== '' && named !== projectId) throw notFound('project');
}
