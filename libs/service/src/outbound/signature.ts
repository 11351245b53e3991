import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const prefix = 'whsec_';

/** The key that a signing secret (`whsec_` and base64) stands for. */
export function signingKeyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64'));
}

/**
 * The `webhook-signature` header of Standard Webhooks: one `v1,<base64>` for each live secret's key, separated by spaces.
 * @param id the `webhook-id` header, constant across attempts
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
