import type { CarrierAccount } from '../carriers/carrier';
import type { MessageProvider } from '../carriers/message-providers.rules';
import { listCarrierAccounts, type SealedAccount } from './carrier-credentials.sql';
import { carrierPurpose } from './carrier-credentials';
import type { Telephony } from '../../telephony';

/** The carrier account that sends an organization's message. If the organization has several accounts at the carrier, the latest is used. */
export async function openCarrierAccount(
  { db, vault }: Pick<Telephony, 'db' | 'vault'>,
  { organizationId, provider }: { readonly organizationId: string; readonly provider: MessageProvider },
): Promise<CarrierAccount | undefined> {
  const [stored] = await listCarrierAccounts(db, organizationId, provider, 1);
  if (stored === undefined) return undefined;
  return openAccount(vault, organizationId, stored);
}

export function openAccount(
  vault: Telephony['vault'],
  organizationId: string,
  { accountSid, authToken, carrierCredentialId }: SealedAccount,
): CarrierAccount {
  const context = { organizationId, purpose: carrierPurpose, recordId: carrierCredentialId };
  return { accountSid, authToken: vault.open(authToken, context).toString('utf8') };
}
