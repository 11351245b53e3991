import type { Call } from '../calls';
import { restSeconds } from '../queue';
import type { Telephony } from '../telephony';

/**
 * A call that a worker was given before a maintenance window began, or before its organization or agent was suspended, and that no one
 * was dialled for yet, waits like those that no one was given (docs/reference/maintenance.md). Answers for a call how many seconds its job rests at least, undefined
 * where it may be dialled; all rest where no one can say. Ask before a transaction: outside trust auth is asked first.
 */
export async function heldAtDialling({
  controls,
}: Pick<Telephony, 'controls'>): Promise<(call: Call) => number | undefined> {
  if (!controls.trusted()) {
    try {
      await controls.refreshed();
    } catch {
      return () => restSeconds;
    }
  }
  // Known to be held: no one is given it before that is over.
  return ({ organizationId, agentId }) =>
    controls.maintenance().active ||
    controls.isSuspendedOrganization(organizationId) ||
    controls.isSuspendedAgent(agentId)
      ? 0
      : undefined;
}
