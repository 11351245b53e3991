import type { AdmissionRefusal } from '../intake/admission/admit-batch.rules';
import type { PolicyDecision } from '../books/calls/call.rules';
import type { OrganizationState } from '../books/organizations/organization-state.rules';

/** A message to be admitted. Its agent and number are already resolved. */
export interface MessageRequest {
  readonly suppressed: boolean;
  /** The cost of the message: its segments at the carrier's price. */
  readonly holdMicros: number;
  readonly policy: PolicyDecision;
}

export interface MessageRefusal {
  readonly reason: Extract<AdmissionRefusal['reason'], 'suppressed' | 'daily_spend' | 'balance'>;
}

export type MessageDecision =
  | { readonly admitted: true; readonly holdMicros: number | null }
  | { readonly admitted: false; readonly refusal: MessageRefusal };

export interface MessageDecisions {
  /** One per request, in request order. */
  readonly decisions: readonly MessageDecision[];
  readonly change: { readonly reservedMicros: number; readonly spendMicros: number; readonly spendDay: string };
}

/**
 * Decides the requests to send messages of one organization in order, each on the state that the previous ones leave. The order of refusals is that of calls,
 * as far as it applies to messages: suppression, spend, wallet. A message that policy refuses reserves nothing. Pure.
 * @param now the database's clock
 */
export function admitMessages(
  state: OrganizationState,
  requests: readonly MessageRequest[],
  now: Date,
): MessageDecisions {
  const today = now.toISOString().slice(0, 10);
  const spendDay = state.spendDay > today ? state.spendDay : today;
  const spent = state.spendDay === spendDay ? state.spendMicros : 0;
  const cap = state.limits.dailySpendCapMicros;
  const available = state.balanceMicros - state.reservedMicros;
  let spend = 0;
  let reserved = 0;
  const decisions = requests.map(({ suppressed, holdMicros, policy }): MessageDecision => {
    if (suppressed) return refused('suppressed');
    if (cap !== null && spent + spend + holdMicros > cap) return refused('daily_spend');
    if (state.billing === 'prepaid' && reserved + holdMicros > available) return refused('balance');
    if (policy.verdict !== 'allowed') return { admitted: true, holdMicros: null };
    spend += holdMicros;
    if (state.billing === 'prepaid') reserved += holdMicros;
    return { admitted: true, holdMicros };
  });
  return { decisions, change: { reservedMicros: reserved, spendMicros: spend, spendDay } };
}

const refused = (reason: MessageRefusal['reason']): MessageDecision => ({ admitted: false, refusal: { reason } });
