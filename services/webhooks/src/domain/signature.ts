import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A new signing secret: `whsec_` and 32 random bytes in base64, as Standard Webhooks writes them. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/**
 * The `webhook-signature` header: one `v1,<base64>` for each live secret, separated by spaces.
 * @param id the `webhook-id` header, the event's id, constant across attempts
 * @param timestamp the `webhook-timestamp` header, seconds since 1970
 * @param body the exact bytes that are sent
 */
export function signatureOf(secrets: readonly string[], id: string, timestamp: number, body: Buffer): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64');
      const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
      return `v1,${mac.digest('base64')}`;
    })
    .join(' ');
}
