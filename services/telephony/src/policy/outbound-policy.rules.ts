import parsePhoneNumber from 'libphonenumber-js/max';
import type { OutboundPolicyUpdate } from '@parley/contract';
import type { PolicyDecision } from '../calls/call.rules';
import { judgeByPolicy } from './organization-policy.rules';

/** A rule of outbound policy: its id, and whether it forbids dialling a number. */
export interface PolicyRule {
  readonly id: string;
  readonly verdict: 'blocked' | 'review';
  applies(to: string): boolean;
}

/** No subscriber in the world has a national number this short; emergency and other service codes do. */
const longestShortCode = 3;

/** Networks ignore digits after a complete number, so extra digits must not hide a forbidden one. */
const mostExtraDigits = 6;

function isPremiumRate(to: string): boolean {
  for (let extra = 0; extra <= mostExtraDigits; extra += 1) {
    const type = parsePhoneNumber(to.slice(0, to.length - extra))?.getType();
    if (type !== undefined) return type === 'PREMIUM_RATE';
  }
  return false;
}

/** Rules that always apply to every organization (docs/reference/starting.md). Organizations' own rules are added per call. */
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

/** Cached decisions: campaigns dial the same numbers repeatedly, and evaluating the metadata takes tens of microseconds per number. */
const verdicts = new Map<string, PolicyDecision>();
const mostVerdicts = 10_000;

/** Like `judgeDestination`, with only the rules that never change while the process runs. */
export function judgeAlways(to: string): PolicyDecision {
  const known = verdicts.get(to);
  if (known !== undefined) return known;
  const decision = judgeDestination(to);
  const oldest = verdicts.size < mostVerdicts ? undefined : verdicts.keys().next().value;
  if (oldest !== undefined) verdicts.delete(oldest);
  verdicts.set(to, decision);
  return decision;
}

/**
 * Judges a destination. One rule that blocks blocks; else one that wants a review holds the call; else it may be dialled.
 * A number that the metadata does not know is no one's premium or emergency number and passes.
 */
export function judgeDestination(to: string, rules: readonly PolicyRule[] = alwaysOnRules): PolicyDecision {
  const against = rules.filter((rule) => rule.applies(to));
  if (against.length === 0) return { verdict: 'allowed', rules: [] };
  const blocked = against.some((rule) => rule.verdict === 'blocked');
  return { verdict: blocked ? 'blocked' : 'review', rules: against.map((rule) => rule.id) };
}

/**
 * Whether a call may be transferred to a number: premium and emergency numbers never, countries by the organization's rules. Quiet hours and consent protect people
 * who are called by an agent; the party that a call is handed to is chosen by the organization.
 * @param policy JSON of OutboundPolicyUpdate; null for none
 */
export function judgeTransfer(to: string, policy: string | null, at: Date): PolicyDecision {
  const { destination_countries: countries } = policy === null ? {} : (JSON.parse(policy) as OutboundPolicyUpdate);
  const rules: OutboundPolicyUpdate = countries === undefined ? {} : { destination_countries: countries };
  return judgeByPolicy(judgeAlways(to), rules, { to, at, zones: [], consent: false });
}
