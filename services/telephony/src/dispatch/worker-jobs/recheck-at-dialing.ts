import { restSeconds, type Call } from '../../books';
import type { Telephony } from '../../telephony';

/**
 * Checks again before dialing whether a call is paused, because maintenance or a suspension of its organization or agent may have begun after a worker claimed
 * it (docs/reference/maintenance.md). Returns a function of a call: the number of seconds after which its job may be claimed again, or undefined if the call
 * may be dialed. If the control state cannot be determined, all calls wait. Must be called before a transaction, because it may first request the control
 * state from auth.
 */
export async function recheckControls({
  controls,
}: Pick<Telephony, 'controls'>): Promise<(call: Call) => number | undefined> {
  if (!controls.trusted()) {
    try {
      await controls.refreshed();
    } catch {
      return () => restSeconds;
    }
  }
  // The pause is known, so no worker can claim the job before the pause ends; the job need not be delayed.
  return ({ organizationId, agentId }) =>
    controls.maintenance().active ||
    controls.isSuspendedOrganization(organizationId) ||
    controls.isSuspendedAgent(agentId)
      ? 0
      : undefined;
}
