import type { OutboundPolicyUpdate } from '@parley/contract';
import type { PolicyDecision } from '../calls/call.rules';
import { judgeByPolicy } from './organization-policy.rules';
import { judgeAlways } from './outbound-policy.rules';

/**
 * Whether a call may be transferred to a number: premium and emergency numbers never, countries by the organization's rules. Quiet hours and consent protect people
 * who are called by an agent; whoever a call is handed to is chosen by the organization.
 * @param policy JSON of OutboundPolicyUpdate; null for none
 */
export function judgeTransfer(to: string, policy: string | null, at: Date): PolicyDecision {
  const { destination_countries: countries } = policy === null ? {} : (JSON.parse(policy) as OutboundPolicyUpdate);
  const rules: OutboundPolicyUpdate = countries === undefined ? {} : { destination_countries: countries };
  return judgeByPolicy(judgeAlways(to), rules, { to, at, zones: [], consent: false });
}
