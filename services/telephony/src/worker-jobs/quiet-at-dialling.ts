import type { OutboundPolicyUpdate } from '@parley/contract';
import type { Call } from '../calls';
import { quietUntil, calleeZones } from '../policy';

/**
 * A call may wait longer in its queue than its callee is awake: quiet hours are judged again before the permit, by the rule as
 * it is now. How many seconds the call has to wait; undefined: it may be dialled. A rule in shadow holds no one; whom a person
 * approved after a review is dialled when it is his turn.
 * @param policy JSON of OutboundPolicyUpdate; null for none
 */
export function quietAtDialling(policy: string | null, call: Call, now: Date): number | undefined {
  if (policy === null || call.policy.verdict === 'review') return undefined;
  const { quiet_hours: rule } = JSON.parse(policy) as OutboundPolicyUpdate;
  if (rule === undefined || rule === null || rule.mode !== 'enforce') return undefined;
  const until = quietUntil(rule, calleeZones(call.to), now);
  return until && (until.getTime() - now.getTime()) / 1000;
}
