import { restSeconds } from '../queue';
import type { Telephony } from '../telephony';
import type { OutboundPolicyUpdate } from '@parley/contract';
import type { Call } from '../calls';
import { quietUntil, calleeZones } from '../policy';

/**
 * A call that a worker was given before a maintenance window began, or before its organization or agent was suspended, and that no one
 * was dialled for yet, waits like those that no one was given (docs/reference/maintenance.md). Answers for a call how many seconds its job rests at least, undefined
 * where it may be dialled; all rest where no one can say. Ask before a transaction: outside trust auth is asked first.
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
  // Known to be paused: no worker is assigned it before the pause ends.
  return ({ organizationId, agentId }) =>
    controls.maintenance().active ||
    controls.isSuspendedOrganization(organizationId) ||
    controls.isSuspendedAgent(agentId)
      ? 0
      : undefined;
}

/**
 * Quiet hours may begin while a call is queued, so they are judged again before it is dialled: quiet hours are judged again before the permit, by the rule as
 * it is now. How many seconds the call has to wait; undefined: it may be dialled. A rule in shadow holds no call back, nor is one
 * held that a person approved in a review.
 * @param policy JSON of OutboundPolicyUpdate; null for none
 */
export function recheckQuietHours(policy: string | null, call: Call, now: Date): number | undefined {
  if (policy === null || call.policy.verdict === 'review') return undefined;
  const { quiet_hours: rule } = JSON.parse(policy) as OutboundPolicyUpdate;
  if (rule === undefined || rule === null || rule.mode !== 'enforce') return undefined;
  const until = quietUntil(rule, calleeZones(call.to), now);
  return until && (until.getTime() - now.getTime()) / 1000;
}
