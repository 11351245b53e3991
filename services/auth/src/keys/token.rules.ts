import { base62Digit, tokenChecksum, tokenRandomLength, type TokenPrefix } from '@parley/contract';

/** Draws `size` random bytes; injected so that tests can be exact. */
export type RandomBytes = (size: number) => Buffer;

/** Bytes from here on are drawn again: 248 is the greatest multiple of 62 in a byte, so that every digit is as likely. */
const unbiasedBelow = 248;

/** A new token: prefix, 32 random base 62 characters (190 bits), checksum (docs/reference/keys.md). */
export function mintToken(prefix: TokenPrefix, random: RandomBytes): string {
  let digits = '';
  while (digits.length < tokenRandomLength) {
    for (const byte of random(tokenRandomLength)) {
      if (byte < unbiasedBelow && digits.length < tokenRandomLength) digits += base62Digit(byte % 62);
    }
  }
  const text = prefix + digits;
  return text + tokenChecksum(text);
}

/** What a list shows of a token. */
export const lastFourOf = (token: string): string => token.slice(-4);
