import type { CarrierAccount } from '../carriers/carrier';
import type { MessageProvider } from '../carriers/message-providers.rules';
import { accountOfNumber, type SealedAccount } from './carrier-credentials.sql';
import { carrierPurpose } from './carrier-credentials';
import type { Telephony } from '../../telephony';

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
