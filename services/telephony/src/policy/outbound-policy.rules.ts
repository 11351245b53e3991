import parsePhoneNumber from 'libphonenumber-js/max';
import type { OutboundPolicyUpdate } from '@parley/contract';
import type { PolicyDecision } from '../books/calls/call.rules';
import { checkByPolicy } from './organization-policy.rules';

/** A rule of outbound policy: its id, its verdict, and whether it applies to a number. */
export interface PolicyRule {
  readonly id: string;
  readonly verdict: 'blocked' | 'review';
  applies(to: string): boolean;
}

/** Emergency and other service numbers have national numbers this short; no subscriber does. */
const longestShortCode = 3;

/** Networks ignore digits after a complete number, so a forbidden number with up to this many extra digits must be recognized. */
const mostExtraDigits = 6;

function isPremiumRate(to: string): boolean {
  for (let extra = 0; extra <= mostExtraDigits; extra += 1) {
    const type = parsePhoneNumber(to.slice(0, to.length - extra))?.getType();
    if (type !== undefined) return type === 'PREMIUM_RATE';
  }
  return false;
}

/** Rules that apply to every organization (docs/reference/starting.md). An organization's own rules are evaluated in addition. */
export const alwaysOnRules: readonly PolicyRule[] = [
  {
    id: 'emergency_number',
    verdict: 'blocked',
    applies: (to) =>
      to.length - 1 <= longestShortCode ||
      (parsePhoneNumber(to)?.nationalNumber.length ?? Infinity) <= longestShortCode,
  },
  {
    id: 'premium_rate_number',
    verdict: 'blocked',
    applies: isPremiumRate,
  },
];

/** Cache of decisions: campaigns call the same numbers repeatedly, and evaluating the metadata takes tens of microseconds per number. */
const verdicts = new Map<string, PolicyDecision>();
const mostVerdicts = 10_000;

/** `checkDestination` with a cache, for the rules that do not change while the process runs. */
export function checkAlways(to: string): PolicyDecision {
  const known = verdicts.get(to);
  if (known !== undefined) return known;
  const decision = checkDestination(to);
  const oldest = verdicts.size < mostVerdicts ? undefined : verdicts.keys().next().value;
  if (oldest !== undefined) verdicts.delete(oldest);
  verdicts.set(to, decision);
  return decision;
}

/**
 * Evaluates rules for a destination. It is blocked if any rule blocks it; otherwise a review is required if any rule requires one; otherwise it may be dialed.
 * Numbers unknown to the metadata are allowed, because they are neither premium-rate nor emergency numbers.
 */
export function checkDestination(to: string, rules: readonly PolicyRule[] = alwaysOnRules): PolicyDecision {
  const against = rules.filter((rule) => rule.applies(to));
  if (against.length === 0) return { verdict: 'allowed', rules: [] };
  const blocked = against.some((rule) => rule.verdict === 'blocked');
  return { verdict: blocked ? 'blocked' : 'review', rules: against.map((rule) => rule.id) };
}

/**
 * Whether a call may be transferred to a number. Premium-rate and emergency numbers are never allowed; the organization's rules decide about countries. Quiet
 * hours and consent do not apply: they protect people called by an agent, whereas the organization chooses the party to which a call is transferred.
 * @param policy JSON of OutboundPolicyUpdate; null for none
 */
export function checkTransfer(to: string, policy: string | null, at: Date): PolicyDecision {
  const { destination_countries: countries } = policy === null ? {} : (JSON.parse(policy) as OutboundPolicyUpdate);
  const rules: OutboundPolicyUpdate = countries === undefined ? {} : { destination_countries: countries };
  return checkByPolicy(checkAlways(to), rules, { to, at, zones: [], consent: false });
}
