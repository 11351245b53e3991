import { isAccountCarrier } from '@parley/contract';
import type { Call } from '../calls';
import type { CarrierAccount, CarrierLines } from '../carriers';
import { listCarrierAccounts, openAccount } from '../numbers';
import { trunkOfNumber } from '../sip-trunks';
import type { Telephony } from '../telephony';
import type { CarrierLine } from './carrier-lines.sql';

/** More accounts than this an organization does not have at one carrier. */
const mostAccounts = 50;

export interface LineAccess {
  readonly lines: CarrierLines;
  /** By which the lines are placed and ended; of a SIP trunk its id alone. */
  readonly account: CarrierAccount;
}

const ofTrunk = (sipTrunkId: string): CarrierAccount => ({ accountSid: sipTrunkId, authToken: '' });

/** By what a call is placed now; undefined where its organization has nothing stored that it could be placed by. */
export async function openLineAccount(
  { db, vault, carriers, sip }: Telephony,
  { organizationId, carrier, from }: Call,
): Promise<LineAccess | undefined> {
  const provider = carrier ?? '';
  if (provider === 'sip_trunk') {
    const trunk = await trunkOfNumber(db, organizationId, from);
    return trunk && sip.lines && { lines: sip.lines, account: ofTrunk(trunk.sip_trunk_id) };
  }
  if (!isAccountCarrier(provider)) return undefined;
  const { lines } = carriers[provider];
  const [stored] = await listCarrierAccounts(db, organizationId, provider, 1);
  if (lines === undefined || stored === undefined) return undefined;
  return { lines, account: openAccount(vault, organizationId, stored) };
}

/** By what a line was placed, with the token that its account has now. */
export async function accessOfLine(
  { db, vault, carriers, sip }: Telephony,
  { organizationId, provider, accountSid }: Pick<CarrierLine, 'organizationId' | 'provider' | 'accountSid'>,
): Promise<LineAccess | undefined> {
  if (provider === 'sip_trunk') return sip.lines && { lines: sip.lines, account: ofTrunk(accountSid) };
  if (!isAccountCarrier(provider)) return undefined;
  const { lines } = carriers[provider];
  const stored = await listCarrierAccounts(db, organizationId, provider, mostAccounts);
  const found = stored.find((one) => one.accountSid === accountSid);
  return found && lines && { lines, account: openAccount(vault, organizationId, found) };
}
