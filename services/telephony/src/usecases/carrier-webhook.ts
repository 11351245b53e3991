import { badRequest, unauthorized } from '@parley/errors';
import { holdersOfAccount } from '../db/owners';
import { isSignedByTwilio } from '../domain/twilio-signature';
import { carrierPurpose } from './carrier-credentials';
import type { Telephony } from './telephony';

/** A webhook as a carrier sent it; nothing of it is believed yet. */
export interface CarrierWebhook {
  readonly provider: string;
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly signature: string;
}

/**
 * The organizations by whose token a webhook is signed: one, or several that share an account at the carrier.
 * @throws UnauthorizedError, alike for an account that nobody stored and for a signature under another token
 */
export async function signersOf(
  { db, vault }: Pick<Telephony, 'db' | 'vault'>,
  { provider, url, form, signature }: CarrierWebhook,
): Promise<readonly string[]> {
  if (provider !== 'twilio') throw badRequest('provider must be twilio');
  const holders = await holdersOfAccount(db, provider, form['AccountSid'] ?? '');
  const signers = holders.filter(({ organizationId, carrierCredentialId, authToken }) => {
    const context = { organizationId, purpose: carrierPurpose, recordId: carrierCredentialId };
    return isSignedByTwilio(vault.open(authToken, context).toString('utf8'), { url, form, signature });
  });
  if (signers.length === 0) throw unauthorized();
  return signers.map(({ organizationId }) => organizationId);
}

/** Whom a webhook may speak for: the organizations by whose token it is signed, or, by the simulator's, any. */
export type Signers = readonly string[] | 'any';

/**
 * As `signersOf`, for webhooks about messages: the simulator signs its own with the token of this installation.
 * @throws UnauthorizedError, also where the simulator has no token
 */
export async function messageSignersOf(telephony: Telephony, webhook: CarrierWebhook): Promise<Signers> {
  if (webhook.provider !== 'simulator') return signersOf(telephony, webhook);
  const { simulatorWebhookToken: token } = telephony.settings;
  if (token === '' || !isSignedByTwilio(token, webhook)) throw unauthorized();
  return 'any';
}

export const speaksFor = (signers: Signers, organizationId: string): boolean =>
  signers === 'any' || signers.includes(organizationId);
