import { randomFillSync } from 'node:crypto';

/** The prefixes of docs/reference/requests.md (`pub_` carries a hash and is made by its owner). */
export type IdPrefix =
  | 'org'
  | 'prj'
  | 'agt'
  | 'ep'
  | 'key'
  | 'call'
  | 'msg'
  | 'cmp'
  | 'num'
  | 'trk'
  | 'evt'
  | 'dlv'
  | 'job'
  | 'cmd'
  | 'trf'
  | 'rev'
  | 'tpl'
  | 'con'
  | 'kb'
  | 'doc'
  | 'cred'
  | 'aud'
  | 'txn'
  | 'top'
  | 'rec'
  | 'ctc'
  | 'att'
  | 'imp'
  | 'era'
  | 'ext'
  | 'sim'
  | 'run';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BODY = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;

const pool = Buffer.alloc(8 * 256);
let used = pool.length;
let lastMs = 0;
let sequence = 0;

/**
 * A new id: prefix, underscore, and 26 characters of Crockford base32 (lower case) over a UUIDv7.
 * Ids of one process sort in the order they were made, also within a millisecond.
 */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${base32(uuidV7())}`;
}

/** True if `value` has the form of that kind of id; anything else cannot exist and is a 404, never a 500. */
export function isId(prefix: IdPrefix, value: string): boolean {
  return (
    value.length === prefix.length + 27 &&
    value.startsWith(prefix) &&
    value.charCodeAt(prefix.length) === 95 &&
    BODY.test(value.slice(prefix.length + 1))
  );
}

/** The smallest id that could have been created at that time: a bound for searches by time over an index of ids. */
export function leastIdAt(prefix: IdPrefix, time: Date): string {
  const ms = Math.min(Math.max(time.getTime(), 0), 2 ** 48 - 1);
  return `${prefix}_${base32(BigInt(ms) << 80n)}`;
}

/** 48 bits of milliseconds, version 7, a 12-bit counter within the millisecond, variant, 62 random bits. */
function uuidV7(): bigint {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    sequence = 0;
  } else if (++sequence > 0xfff) {
    lastMs += 1;
    sequence = 0;
  }
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.readBigUInt64BE(used) & 0x3fffffffffffffffn;
  used += 8;
  return (BigInt(lastMs) << 80n) | 0x70000000000000000000n | (BigInt(sequence) << 64n) | (2n << 62n) | random;
}

function base32(value: bigint): string {
  // Two halves as numbers would lose bits; six groups of 25 bits each fit into an integer.
  let rest = value;
  let text = '';
  for (let group = 0; group < 5; group++) {
    let bits = Number(rest & 0x1ffffffn);
    rest >>= 25n;
    for (let digit = 0; digit < 5; digit++) {
      text = ALPHABET.charAt(bits & 31) + text;
      bits >>= 5;
    }
  }
  return ALPHABET.charAt(Number(rest)) + text;
}
