import { crc32 } from 'node:zlib';

/** `tai_`: an API key with scopes. `tgw_`: a gateway token, which is bound to a deployment (docs/reference/keys.md). */
export const tokenPrefixes = ['tai_', 'tgw_'] as const;
export type TokenPrefix = (typeof tokenPrefixes)[number];

export const tokenRandomLength = 32;
const checksumLength = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const tokenPattern = new RegExp(`^(?:tai_|tgw_)[0-9A-Za-z]{${tokenRandomLength + checksumLength}}$`);

/** The base 62 digit for a value from 0 to 61; digits are in ASCII order. */
export const base62Digit = (value: number): string => alphabet.charAt(value);

/** The CRC-32 of the ASCII text as six base 62 digits, most significant first. */
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
 * The prefix of a well-formed token; undefined for any other text. A token consists of a prefix, 32 random base 62 characters and a checksum
 * (docs/reference/keys.md). The checksum detects mistyped tokens, so that they cost no look-up.
 */
export function parseToken(token: string): { readonly prefix: TokenPrefix } | undefined {
  if (!tokenPattern.test(token)) return undefined;
  const checksumAt = token.length - checksumLength;
  if (tokenChecksum(token.slice(0, checksumAt)) !== token.slice(checksumAt)) return undefined;
  return { prefix: token.startsWith('tai_') ? 'tai_' : 'tgw_' };
}
