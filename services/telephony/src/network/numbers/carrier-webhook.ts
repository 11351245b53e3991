import { carrierNames, isAccountCarrier } from '@parley/contract';
import { AppError, badRequest } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import type { Carrier, Network } from '../carriers/carrier';
import type { HeldNumber } from './number.rules';
import * as numbers from './number-owner.cross-tenant.sql';
import { carrierPurpose } from './carrier-credentials';
import type { Telephony } from '../../telephony';

/** A webhook as received; untrusted until its signature is verified. */
export interface CarrierWebhook {
  readonly provider: string;
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly signature: string;
}

/** @throws BadRequestError for an unknown carrier */
export function carrierOf({ carriers }: Pick<Network, 'carriers'>, provider: string): Carrier {
  const name = carrierNames.find((known) => known === provider);
  if (name === undefined) throw badRequest('provider is not a carrier');
  return carriers[name];
}

/** A 401 that does not reveal whether the account is unknown or the signature is wrong. */
const signatureMismatch = (): AppError =>
  new AppError('UnauthorizedError', "the carrier's signature does not match the account, the address and the form");

/**
 * The organizations whose token signed a webhook: one, or several that share an account at the carrier.
 * @throws UnauthorizedError
 */
export async function findSigners(
  telephony: Pick<Telephony, 'db' | 'vault'> & Pick<Network, 'carriers'>,
  { provider, ...webhook }: CarrierWebhook,
): Promise<readonly string[]> {
  const { name, protocol } = carrierOf(telephony, provider);
  const holders = await numbers.holdersOfAccount(telephony.db, name, protocol.accountOf(webhook.form));
  const signers = holders.filter(({ organizationId, carrierCredentialId, authToken }) => {
    const context = { organizationId, purpose: carrierPurpose, recordId: carrierCredentialId };
    return protocol.isSigned(telephony.vault.open(authToken, context).toString('utf8'), webhook);
  });
  if (signers.length === 0) throw signatureMismatch();
  return signers.map(({ organizationId }) => organizationId);
}

/** The organizations on whose behalf a webhook may act: those whose token signed it, or any if the installation's own token did. */
export type Signers = readonly string[] | 'any';

/**
 * Like `findSigners`, for webhooks about messages. A carrier without accounts signs with the installation's token.
 * @throws UnauthorizedError, also if the installation has no token
 */
export async function findMessageSigners(
  telephony: Pick<Telephony, 'db' | 'vault' | 'settings'> & Pick<Network, 'carriers'>,
  webhook: CarrierWebhook,
): Promise<Signers> {
  const { name, protocol } = carrierOf(telephony, webhook.provider);
  if (isAccountCarrier(name)) return findSigners(telephony, webhook);
  const { simulatorWebhookToken: token } = telephony.settings;
  if (token === '' || !protocol.isSigned(token, webhook)) throw signatureMismatch();
  return 'any';
}

export const speaksFor = (signers: Signers, organizationId: string): boolean =>
  signers === 'any' || signers.includes(organizationId);

/** The live number that a webhook or a media gateway may concern; a verified one precedes unverified claims. Undefined if there is none, or it is not clear which. */
export const holderOfNumber = (db: Queryable, phoneNumber: string, signers: Signers): Promise<HeldNumber | undefined> =>
  numbers.holderOfNumber(db, phoneNumber, signers === 'any' ? undefined : signers);
