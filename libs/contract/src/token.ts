import { crc32 } from 'node:zlib';

/** `tai_`: a scoped key. `tgw_`: a deployment-bound gateway token (docs/reference/keys.md). */
export const tokenPrefixes = ['tai_', 'tgw_'] as const;
export type TokenPrefix = (typeof tokenPrefixes)[number];

export const tokenRandomLength = 32;
const checksumLength = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const tokenPattern = new RegExp(`^(?:tai_|tgw_)[0-9A-Za-z]{${tokenRandomLength + checksumLength}}$`);

/** A digit of base 62 in ASCII order; `value` 0 to 61. */
export const base62Digit = (value: number): string => alphabet.charAt(value);

/** Six base 62 digits, most significant first, of the CRC-32 over the ASCII text. */
export function tokenChecksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place += 1) {
    digits = base62Digit(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/**
 * The prefix of a well-formed token, undefined for anything else: prefix, 32 random base 62 characters, checksum
 * (docs/reference/keys.md). A mistyped token fails here, so that no look-up is spent on it.
 */
export function parseToken(token: string): { readonly prefix: TokenPrefix } | undefined {
  if (!tokenPattern.test(token)) return undefined;
  const checksumAt = token.length - checksumLength;
  if (tokenChecksum(token.slice(0, checksumAt)) !== token.slice(checksumAt)) return undefined;
  return { prefix: token.startsWith('tai_') ? 'tai_' : 'tgw_' };
}
