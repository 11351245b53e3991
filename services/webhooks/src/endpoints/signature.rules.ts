import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

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

/** The key that a secret stands for. */
export function signingKeyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64'));
}

/**
 * The `webhook-signature` header: one `v1,<base64>` for each live secret's key, separated by spaces.
 * @param id the `webhook-id` header, the event's id, constant across attempts
 * @param timestamp the `webhook-timestamp` header, seconds since 1970
 * @param body the exact bytes that are sent
 */
export function signatureOf(keys: readonly KeyObject[], id: string, timestamp: number, body: Buffer): string {
  return keys
    .map((key) => {
      const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
      return `v1,${mac.digest('base64')}`;
    })
    .join(' ');
}
