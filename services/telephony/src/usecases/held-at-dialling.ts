import type { Call } from '../domain/call';
import type { Telephony } from './telephony';

/**
 * A call that a worker was given before a maintenance window began, or before its organization or agent was suspended, and that nobody
 * was dialled for yet, waits like those that nobody was given (section 7.3). Answers who has to; all, where nobody can say. Ask before a
 * transaction: outside trust auth is asked first.
 */
export async function heldAtDialling({ controls }: Pick<Telephony, 'controls'>): Promise<(call: Call) => boolean> {
  if (!controls.trusted()) {
    try {
      await controls.refreshed();
    } catch {
      return () => true;
    }
  }
  return ({ organizationId, agentId }) =>
    controls.maintenance().active ||
    controls.isSuspendedOrganization(organizationId) ||
    controls.isSuspendedAgent(agentId);
}
