import { isAccountCarrier } from '@parley/contract';
import type { Call } from '../../books';
import {
  type CarrierAccount,
  type CarrierLines,
  accountOfNumber,
  listCarrierAccounts,
  openAccount,
  trunkOfNumber,
  type Network,
} from '../../network';
import type { Telephony } from '../../telephony';
import type { CarrierLine } from './carrier-lines.sql';

type Needs = Pick<Telephony, 'db' | 'vault'> & Network;

export interface LineAccess {
  readonly lines: CarrierLines;
  /** The account that places and ends the lines. For a SIP trunk it has only an id. */
  readonly account: CarrierAccount;
}

const ofTrunk = (sipTrunkId: string): CarrierAccount => ({ accountSid: sipTrunkId, authToken: '' });

/** The account with which a call can be placed now; undefined if none is stored or it is not known which is meant. */
export async function openLineAccount(
  { db, vault, carriers, sip }: Needs,
  { organizationId, carrier, from }: Call,
): Promise<LineAccess | undefined> {
  const provider = carrier ?? '';
  if (provider === 'sip_trunk') {
    const trunk = await trunkOfNumber(db, organizationId, from);
    return trunk && sip.lines && { lines: sip.lines, account: ofTrunk(trunk.sip_trunk_id) };
  }
  if (!isAccountCarrier(provider)) return undefined;
  const { lines } = carriers[provider];
  const stored = await accountOfNumber(db, organizationId, provider, from);
  if (lines === undefined || stored === undefined) return undefined;
  return { lines, account: openAccount(vault, organizationId, stored) };
}

/** The account with which a line was placed, with its current token. */
export async function accessOfLine(
  { db, vault, carriers, sip }: Needs,
  { organizationId, provider, accountSid }: Pick<CarrierLine, 'organizationId' | 'provider' | 'accountSid'>,
): Promise<LineAccess | undefined> {
  if (provider === 'sip_trunk') return sip.lines && { lines: sip.lines, account: ofTrunk(accountSid) };
  if (!isAccountCarrier(provider)) return undefined;
  const { lines } = carriers[provider];
  const [found] = await listCarrierAccounts(db, organizationId, provider, 1, accountSid);
  return found && lines && { lines, account: openAccount(vault, organizationId, found) };
}
