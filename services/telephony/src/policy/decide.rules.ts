import { dialedAddress, isExtension, neverDialed, reachableNumbers, type OutboundPolicyUpdate } from '@parley/contract';
import type { PolicyDecision } from '../books/calls/call.rules';
import { checkByPolicy, quietUntil } from './organization-policy.rules';

/** What the verdict is based on; facts.ts loads it. */
export interface Facts {
  /**
   * `call`, `message`: requested, or due now. `approval`: a reviewer replaces the policy by a decision. `permit`: about to be dialed. `sending`: about to be
   * sent. `transfer`: another party is dialed for a call in progress.
   */
  readonly act: 'call' | 'message' | 'approval' | 'permit' | 'sending' | 'transfer';
  /** A number in E.164 form; for a transfer also a SIP address. */
  readonly to: string;
  /** The organization's number that dials; digits of a SIP address are national in its country. */
  readonly from: string;
  readonly at: Date;
  /** The organization's own rules. */
  readonly rules: OutboundPolicyUpdate;
  /** Numbers on the organization's suppression list, at least those that `to` may reach. */
  readonly suppressed: ReadonlySet<string>;
  /** The time zones in which the number may be (IANA names); empty: unknown. */
  readonly zones: readonly string[];
  readonly consent: boolean;
  /** Whether a SIP address is at a host of the organization's trunks, or at one that the operator listed. */
  readonly knownHost: boolean;
}

export interface Verdict {
  /** Whether the callee opted out. */
  readonly suppressed: boolean;
  readonly policy: PolicyDecision;
  /** For how many seconds a call that was permitted must wait; undefined: it may be dialed. */
  readonly waitSeconds: number | undefined;
}

/**
 * Decides whether something may be dialed or sent. Everything that dials asks this function, at the times that docs/architecture.md lists. Pure.
 */
export function decide(facts: Facts): Verdict {
  const { act, to, from, at, rules, zones, consent } = facts;
  const address = dialedAddress(to, from);
  const suppressed = reachableNumbers(to, from).some((number) => facts.suppressed.has(number));
  const numbers = address === undefined || isExtension(address) ? [] : address.numbers;
  const by = (always: readonly string[], own: OutboundPolicyUpdate): Verdict => ({
    suppressed,
    policy: checkByPolicy(always, own, { numbers, at, zones, consent }),
    waitSeconds: undefined,
  });
  switch (act) {
    case 'call':
    case 'message':
      return by(neverDialed(to), rules);
    case 'transfer': {
      const never = neverDialed(to, from);
      const always = address?.host === undefined || facts.knownHost ? never : [...never, 'sip_host'];
      // Quiet hours and consent protect people called by an agent, whereas the organization chooses the party to which a call is transferred.
      return by(always, { destination_countries: rules.destination_countries ?? null });
    }
    case 'permit': {
      const { quiet_hours: quiet } = rules;
      const until = quiet?.mode === 'enforce' ? quietUntil(quiet, zones, at) : undefined;
      return { ...by([], {}), waitSeconds: until && (until.getTime() - at.getTime()) / 1000 };
    }
    case 'approval':
    case 'sending':
      return by([], {});
  }
}
