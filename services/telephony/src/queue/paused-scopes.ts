import type { Controls } from '../telephony';

/** The scopes whose jobs stay queued. */
export interface PausedScopes {
  readonly organizationIds: readonly string[];
  readonly agentIds: readonly string[];
}

/**
 * What must wait now: everything while a maintenance window is open (docs/reference/maintenance.md) or no one can say whether one is, else the
 * jobs of suspended organizations and agents.
 */
export async function pausedScopes(controls: Controls): Promise<PausedScopes | undefined> {
  if (!controls.trusted()) {
    try {
      await controls.refreshed();
    } catch {
      // The mirror has logged it; queued calls wait until auth responds again.
      return undefined;
    }
  }
  if (controls.maintenance().active) return undefined;
  return { organizationIds: controls.suspendedOrganizationIds(), agentIds: controls.suspendedAgentIds() };
}
