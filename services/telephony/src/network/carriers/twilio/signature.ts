import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedForm } from '../carrier';

/**
 * Twilio's documented signature of a form: HMAC-SHA1, keyed with the account's token, over the URL followed by every name and value, ordered by name; in
 * Base64.
 */
export function twilioSignature(authToken: string, url: string, form: Readonly<Record<string, string>>): string {
  const text = Object.keys(form)
    .sort()
    .reduce((signed, name) => signed + name + (form[name] ?? ''), url);
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64');
}

/** Verifies the signature. Twilio may sign the URL with or without its port: both are accepted. */
export function isSignedByTwilio(authToken: string, { url, form, signature }: SignedForm): boolean {
  return addressesOf(url).reduce(
    (good, address) => equal(twilioSignature(authToken, address, form), signature) || good,
    false,
  );
}

/** Constant-time comparison. */
function equal(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const address = /^(https?):\/\/([^/?#:]+)(?::\d+)?([/?#].*)?$/i;

/** The URL variants that Twilio may have signed: as given, with the default port of its scheme, and without a port. */
function addressesOf(url: string): readonly string[] {
  const parts = address.exec(url);
  if (parts === null) return [url];
  const [, scheme = '', host = '', rest = ''] = parts;
  const port = scheme.toLowerCase() === 'https' ? 443 : 80;
  return [...new Set([url, `${scheme}://${host}:${port}${rest}`, `${scheme}://${host}${rest}`])];
}
