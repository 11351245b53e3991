const prefix = 'whsec_';

/** The purpose under which the vault encrypts signing secrets. */
export const signingPurpose = 'webhook-signing';

/** Number of random bytes of a new secret. */
export const secretBytes = 32;

/** Maximum of active secrets per endpoint, because each adds a signature to every request. */
export const mostLiveSecrets = 5;

/** A signing secret in the format of Standard Webhooks: `whsec_` followed by random bytes in base64. */
export function secretOf(random: Buffer): string {
  return prefix + random.toString('base64');
}
