import type { OutboundPolicyUpdate } from '@parley/contract';
import type { AdmissionLook } from '../admission';
import type { PolicyDecision } from '../calls';
import { judgeByPolicy } from './organization-policy.rules';
import { judgeAlways } from './outbound-policy.rules';
import { calleeZones } from './callee-zones';

export interface Outbound {
  readonly to: string;
  readonly consent?: boolean;
}

/** By what holds always and by the organization's own rules, as of now. */
export function judgeOutbound({ to, consent }: Outbound, look: AdmissionLook): PolicyDecision {
  const rules = look.policy === null ? undefined : (JSON.parse(look.policy) as OutboundPolicyUpdate);
  return judgeByPolicy(judgeAlways(to), rules, {
    to,
    at: look.now,
    zones: rules?.quiet_hours ? calleeZones(to) : [],
    consent: consent === true,
  });
}
