import type { AdmissionRefusal } from '../admission/admit-batch.rules';

/** Reasons why an incoming call is not answered; the ended_reason of its record. */
export const inboundRefusals = [
  'number_not_in_workspace',
  'platform_maintenance',
  'no_inbound_agent',
  'suspended',
  'agent_inactive',
  'configuration_not_runnable',
  'capacity_unavailable',
  'live_call_limit',
  'spend_cap',
  'insufficient_balance',
] as const;
export type InboundRefusal = (typeof inboundRefusals)[number];

/** The ended_reason of an incoming call that limits or the wallet refused. */
export function refusalForRoom({ reason }: AdmissionRefusal): InboundRefusal {
  switch (reason) {
    case 'live_calls':
      return 'live_call_limit';
    case 'daily_spend':
      return 'spend_cap';
    case 'balance':
      return 'insufficient_balance';
    case 'suppressed':
    case 'calls_per_minute':
    case 'calls_per_hour':
    case 'queue_full':
    case 'scheduled_full':
      throw new Error(`an incoming call is not refused for ${reason}`);
  }
}

/** The facts that decide whether an incoming call is answered. */
export interface InboundFacts {
  /** The number is live and belongs to the requesting organization. Unknown numbers and those of other organizations are treated the same. */
  readonly numberIsOurs: boolean;
  readonly maintenance: boolean;
  readonly suspended: boolean;
  /** Undefined: none is attached, or it was deleted. */
  readonly agent: { readonly status: string; readonly runnable: boolean } | undefined;
  /** There is no media gateway to which the line could be connected. */
  readonly unreachable: boolean;
}

/** Why a call is not answered; undefined: it is answered. Pure; the first reason in this order applies. */
export function refusalOf({
  numberIsOurs,
  maintenance,
  suspended,
  agent,
  unreachable,
}: InboundFacts): InboundRefusal | undefined {
  if (!numberIsOurs) return 'number_not_in_workspace';
  if (maintenance) return 'platform_maintenance';
  if (suspended || agent?.status === 'suspended') return 'suspended';
  if (agent === undefined) return 'no_inbound_agent';
  if (agent.status !== 'active') return 'agent_inactive';
  if (!agent.runnable) return 'configuration_not_runnable';
  return unreachable ? 'capacity_unavailable' : undefined;
}
