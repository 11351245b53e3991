import { dialedAddress, reachableNumbers, type OutboundPolicyUpdate } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { Call } from '../books';
import { calleeZones } from './callee-zones';
import type { Facts } from './decide.rules';
import { readAtDialing } from './policies.sql';
import { isSuppressed } from './suppressions.sql';

export interface Outbound {
  readonly to: string;
  readonly consent?: boolean;
  /** IANA: where the callee is, if the caller knows. */
  readonly timeZone?: string | null;
}

/** What admission reads for all requests at once. */
export interface ReadForAdmission {
  /** The database's clock. */
  readonly now: Date;
  /** JSON of the organization's outbound policy; null for none. */
  readonly policy: string | null;
  /** Numbers that are suppressed. */
  readonly suppressed: ReadonlySet<string>;
}

const none = { from: '', rules: {}, zones: [], consent: false, knownHost: false } as const;

const rulesOf = (policy: string | null): OutboundPolicyUpdate =>
  policy === null ? {} : (JSON.parse(policy) as OutboundPolicyUpdate);

const zonesFor = (rules: OutboundPolicyUpdate, to: string, known?: string | null): readonly string[] => {
  if (!rules.quiet_hours) return [];
  return typeof known === 'string' ? [known] : calleeZones(to);
};

/** The facts about a requested call or message. */
export function factsOfRequest(
  act: 'call' | 'message',
  { to, consent = false, timeZone }: Outbound,
  { now: at, policy, suppressed }: ReadForAdmission,
): Facts {
  const rules = rulesOf(policy);
  return { ...none, act, to, at, rules, suppressed, zones: zonesFor(rules, to, timeZone), consent };
}

/** The current facts about an approval by a reviewer, and about a message that is sent: only the suppression list counts. */
export const readSuppression = async (
  db: Queryable,
  organizationId: string,
  act: 'approval' | 'sending',
  to: string,
): Promise<Facts> => ({
  ...none,
  act,
  to,
  at: new Date(0),
  suppressed: new Set((await isSuppressed(db, organizationId, reachableNumbers(to))) ? [to] : []),
});

/** The current facts about a call that was admitted earlier. `holdsNumber`: the caller number is still the organization's; it stays so until the commit. */
export async function factsOfPermit(
  tx: Queryable,
  { organizationId, to, from, calleeZone, policy: { verdict } }: Call,
  at: Date,
): Promise<Facts & { readonly holdsNumber: boolean }> {
  const { policy, suppressed, holdsNumber } = await readAtDialing(tx, organizationId, {
    to: reachableNumbers(to, from),
    from,
    host: '',
  });
  // A reviewer has approved the call at any hour.
  const rules = verdict === 'review' ? {} : rulesOf(policy);
  return {
    ...none,
    act: 'permit',
    to,
    from,
    at,
    rules,
    suppressed,
    zones: zonesFor(rules, to, calleeZone),
    holdsNumber,
  };
}

/** The current facts about the other party of a transfer. @param listed hosts that the operator allows, in lower case */
export async function factsOfTransfer(
  tx: Queryable,
  organizationId: string,
  { to, from, at }: { readonly to: string; readonly from: string; readonly at: Date },
  listed: ReadonlySet<string>,
): Promise<Facts> {
  const { host = '' } = dialedAddress(to, from) ?? {};
  const read = await readAtDialing(tx, organizationId, { to: reachableNumbers(to, from), from, host });
  const { policy, suppressed, hasTrunk } = read;
  return {
    ...none,
    act: 'transfer',
    to,
    from,
    at,
    rules: rulesOf(policy),
    suppressed,
    knownHost: hasTrunk || listed.has(host),
  };
}
