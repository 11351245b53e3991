const prefix = 'whsec_';

/** The encryption purpose of a signing secret. */
export const signingPurpose = 'webhook-signing';

/** Random bytes of a new secret. */
export const secretBytes = 32;

/** Maximum of concurrently active secrets per endpoint: each adds a signature to every request. */
export const mostLiveSecrets = 5;

/** A signing secret in the format of Standard Webhooks: `whsec_` and random bytes in base64. */
export function secretOf(random: Buffer): string {
  return prefix + random.toString('base64');
}
