import { randomFillSync } from 'node:crypto';

/** The prefixes in docs/reference/requests.md (`pub_` is missing, because it is followed by a hash that voice-stack computes). */
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
  | 'ver'
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
 * A new id: prefix, underscore, and a UUIDv7 as 26 characters of lower-case Crockford base32. Ids of one process sort in the order of their creation, even
 * within a millisecond.
 */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${base32(uuidV7())}`;
}

/** Whether `value` has the format of this kind of id. An id in another format cannot exist, so a request with it gets 404, never 500. */
export function isId(prefix: IdPrefix, value: string): boolean {
  return (
    value.length === prefix.length + 27 &&
    value.startsWith(prefix) &&
    value.charCodeAt(prefix.length) === 95 &&
    BODY.test(value.slice(prefix.length + 1))
  );
}

/** The smallest id that could have been created at that time, used as a bound when searching an index of ids by time. */
export function leastIdAt(prefix: IdPrefix, time: Date): string {
  const ms = Math.min(Math.max(time.getTime(), 0), 2 ** 48 - 1);
  return `${prefix}_${base32(BigInt(ms) << 80n)}`;
}

/** 48 bits of milliseconds, version 7, a 12-bit counter within the millisecond, the variant, and 62 random bits. */
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
  // As two numbers, bits would be lost; groups of 25 bits fit into integers.
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
