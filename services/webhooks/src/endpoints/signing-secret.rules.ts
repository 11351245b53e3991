const prefix = 'whsec_';

/** For the vault: what a signing secret is sealed for. */
export const signingPurpose = 'webhook-signing';

/** Random bytes of a new secret. */
export const secretBytes = 32;

/** How many secrets of an endpoint sign at once, at most: each is one more signature in every request. */
export const mostLiveSecrets = 5;

/** A signing secret: `whsec_` and random bytes in base64, as Standard Webhooks writes them. */
export function secretOf(random: Buffer): string {
  return prefix + random.toString('base64');
}
