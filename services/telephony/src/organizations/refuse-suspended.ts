import { AppError } from '@parley/errors';
import type { Controls } from '../telephony';

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
