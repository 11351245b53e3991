import { isAccountCarrier, type Dialer } from '@parley/contract';
import type { Call } from '../../books';
import type { Telephony } from '../../telephony';
import { takesLinesOf } from '../carriers/line-addresses';
import type { CarrierAccount, CarrierLines, Network } from '../carriers/carrier';
import type { MessageProvider } from '../carriers/message-providers.rules';
import { listSipTrunks, trunkOfNumber } from '../sip-trunks/sip-trunks.sql';
import { accountOfNumber, listCarrierAccounts, type SealedAccount } from './carrier-credentials.sql';
import { carrierPurpose } from './carrier-credentials';

/** The carrier account that sends a message of an organization. */
export async function openCarrierAccount(
  { db, vault }: Pick<Telephony, 'db' | 'vault'>,
  message: Record<'organizationId' | 'from', string> & { readonly provider: MessageProvider },
): Promise<CarrierAccount | undefined> {
  const stored = await accountOfNumber(db, message.organizationId, message.provider, message.from);
  return stored && openAccount(vault, message.organizationId, stored);
}

export function openAccount(
  vault: Telephony['vault'],
  organizationId: string,
  { accountSid, authToken, carrierCredentialId }: SealedAccount,
): CarrierAccount {
  const context = { organizationId, purpose: carrierPurpose, recordId: carrierCredentialId };
  return { accountSid, authToken: vault.open(authToken, context).toString('utf8') };
}

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
  { organizationId, provider, accountSid }: Readonly<Record<'organizationId' | 'provider' | 'accountSid', string>>,
): Promise<LineAccess | undefined> {
  if (provider === 'sip_trunk') return sip.lines && { lines: sip.lines, account: ofTrunk(accountSid) };
  if (!isAccountCarrier(provider)) return undefined;
  const { lines } = carriers[provider];
  const [found] = await listCarrierAccounts(db, organizationId, provider, 1, accountSid);
  return found && lines && { lines, account: openAccount(vault, organizationId, found) };
}

/**
 * Why an organization cannot place calls over a carrier for want of an account or a trunk; undefined: it can, or calls over the carrier need neither.
 * @param from the number that would call; undefined: any
 */
export async function whyNoAccount(
  { db, settings, sip }: Pick<Telephony, 'db' | 'settings'> & Pick<Network, 'sip'>,
  organizationId: string,
  { carrier, dialer, from }: { readonly carrier: string; readonly dialer: Dialer; readonly from: string | undefined },
): Promise<string | undefined> {
  // Calls over such a carrier use the organization's own account.
  if (isAccountCarrier(carrier)) {
    if ((await listCarrierAccounts(db, organizationId, carrier, 1)).length === 0)
      return `the organization has stored no credential of the carrier ${carrier}`;
    if (from === undefined || (await accountOfNumber(db, organizationId, carrier, from)) !== undefined)
      return undefined;
    return `the organization has several credentials of the carrier ${carrier}: verify the number, to use the one that owns it`;
  }
  const reached = carrier === 'sip_trunk' && dialer === 'hosted' && takesLinesOf({ settings, sip }, carrier);
  if (!reached || (await listSipTrunks(db, organizationId, '', 1)).length > 0) return undefined;
  return 'the organization has stored no SIP trunk';
}
