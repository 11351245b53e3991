import type { Controls } from '../../telephony';

/** The scopes whose jobs stay queued. */
export interface PausedScopes {
  readonly organizationIds: readonly string[];
  readonly agentIds: readonly string[];
}

/**
 * Which jobs must wait now: those of suspended organizations and agents. Undefined: all jobs, because there is maintenance (docs/reference/maintenance.md), or
 * it is unknown whether there is.
 */
export async function pausedScopes(controls: Controls): Promise<PausedScopes | undefined> {
  if (!controls.trusted()) {
    try {
      await controls.refreshed();
    } catch {
      // The control-state mirror has logged the error; queued calls wait until auth responds again.
      return undefined;
    }
  }
  if (controls.maintenance().active) return undefined;
  return { organizationIds: controls.suspendedOrganizationIds(), agentIds: controls.suspendedAgentIds() };
}
