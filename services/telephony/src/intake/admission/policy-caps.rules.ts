import type { CallPolicy, CapsRule } from '@parley/contract';
import type { PolicyDecision } from '../../books/calls/call.rules';

/** An organization's totals if one more call were admitted. */
export interface WithOneMore {
  readonly liveCalls: number;
  readonly lastMinute: number;
  readonly lastHour: number;
  /** Spend of the day in micro-USD. */
  readonly spendMicros: number;
}

const over = (value: number, cap: number | null | undefined): boolean => typeof cap === 'number' && value > cap;

/** The caps exceeded by one more call: the id and a readable reason of each. */
function passed(caps: CapsRule, { liveCalls, lastMinute, lastHour, spendMicros }: WithOneMore) {
  const all = [
    { rule: 'cap_daily_spend', is: over(spendMicros, caps.daily_spend_micros), reason: 'the daily spend cap' },
    {
      rule: 'cap_calls_per_minute',
      is: over(lastMinute, caps.calls_per_minute),
      reason: 'the cap on calls per minute',
    },
    { rule: 'cap_calls_per_hour', is: over(lastHour, caps.calls_per_hour), reason: 'the cap on calls per hour' },
    { rule: 'cap_live_calls', is: over(liveCalls, caps.live_calls), reason: 'the cap on concurrent calls' },
  ];
  return all.filter(({ is }) => is).map(({ rule, reason }) => ({ rule, reason: `one more call exceeds ${reason}` }));
}

export interface CheckedByCaps {
  readonly policy: PolicyDecision;
  /** Refused by an enforced cap: the call would be placed if there were more capacity. */
  readonly held: boolean;
}

/**
 * Adds the caps of an organization's policy to the decision of its other rules. The caps apply only to allowed calls: a blocked or held call uses no capacity.
 * In shadow mode an exceeded cap is only noted on the record. Pure.
 */
export function checkByCaps(decided: PolicyDecision, caps: CapsRule | undefined, totals: WithOneMore): CheckedByCaps {
  if (caps === undefined || caps.mode === 'off' || decided.verdict !== 'allowed')
    return { policy: decided, held: false };
  const objections = passed(caps, totals);
  if (objections.length === 0) return { policy: decided, held: false };
  const verdict = caps.action === 'review' ? 'review' : 'blocked';
  const notes = JSON.parse(decided.notes ?? '{}') as Partial<CallPolicy>;
  if (caps.mode === 'shadow') {
    const shadow = [...(notes.shadow ?? []), ...objections.map((objection) => ({ ...objection, verdict }))];
    return { policy: { ...decided, notes: JSON.stringify({ ...notes, shadow }) }, held: false };
  }
  const reasons = [...(notes.reasons ?? []), ...objections.map(({ reason }) => reason)];
  const rules = [...decided.rules, ...objections.map(({ rule }) => rule)];
  return { policy: { verdict, rules, notes: JSON.stringify({ ...notes, reasons }) }, held: true };
}
