import type { CarrierAccount } from '../carriers/carrier';
import { findCarrierAccount } from '../db/carrier-credentials';
import type { Message } from '../domain/message';
import { carrierPurpose } from './carrier-credentials';
import type { Telephony } from './telephony';

/** The account by which an organization's messages go out: of several at one carrier the one that was stored last. */
export async function accountOf(
  { db, vault }: Pick<Telephony, 'db' | 'vault'>,
  { organizationId, provider }: Message,
): Promise<CarrierAccount | undefined> {
  const stored = await findCarrierAccount(db, organizationId, provider);
  if (stored === undefined) return undefined;
  const context = { organizationId, purpose: carrierPurpose, recordId: stored.carrierCredentialId };
  return { accountSid: stored.accountSid, authToken: vault.open(stored.authToken, context).toString('utf8') };
}
