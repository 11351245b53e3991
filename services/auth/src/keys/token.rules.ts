import { base62Digit, tokenChecksum, tokenRandomLength, type TokenPrefix } from '@parley/contract';

/** Returns `size` random bytes; injected so that tests are deterministic. */
export type RandomBytes = (size: number) => Buffer;

/** Bytes from this value on are discarded and drawn again: 248 is the largest multiple of 62 within a byte, so every digit is equally likely. */
const unbiasedBelow = 248;

/** Creates a token: prefix, 32 random base 62 characters (190 bits), checksum (docs/reference/keys.md). */
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

/** The part of a token that lists show. */
export const lastFourOf = (token: string): string => token.slice(-4);
