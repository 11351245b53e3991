import type { OutboundPolicyUpdate } from '@parley/contract';
import type { AdmissionLook } from '../db/admission-look';
import type { PolicyDecision } from '../domain/call';
import { judgeByPolicy } from '../domain/organization-policy';
import { judgeAlways } from '../domain/outbound-policy';
import { calleeZones } from './callee-zones';

export interface Outbound {
  readonly to: string;
  readonly consent?: boolean;
  /** ISO 8601; absent: now. */
  readonly scheduled_at?: string;
}

/** By what holds always and by the organization's own rules, at the moment for which the call or message is asked. */
export function judgeOutbound({ to, consent, scheduled_at }: Outbound, look: AdmissionLook): PolicyDecision {
  const rules = look.policy === null ? undefined : (JSON.parse(look.policy) as OutboundPolicyUpdate);
  const scheduled = scheduled_at === undefined ? look.now : new Date(scheduled_at);
  return judgeByPolicy(judgeAlways(to), rules, {
    to,
    at: scheduled > look.now ? scheduled : look.now,
    zones: rules?.quiet_hours ? calleeZones(to) : [],
    consent: consent === true,
  });
}
