import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const prefix = 'whsec_';

/** The key in a signing secret, which consists of `whsec_` and base64. */
export function signingKeyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64'));
}

/**
 * The `webhook-signature` header of Standard Webhooks: one `v1,<base64>` for the key of each active secret, separated by spaces.
 * @param id the `webhook-id` header, which is the same in all attempts
 * @param timestamp the `webhook-timestamp` header, in seconds since 1970
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
