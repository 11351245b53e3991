import { crc32 } from 'node:zlib';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A token with a valid checksum that was never issued; a different one for each serial number. */
export function unknownToken(serial: number): string {
  const text = `tai_${String(serial).padStart(32, 'W')}`;
  let rest = crc32(text);
  let checksum = '';
  for (let place = 0; place < 6; place += 1) {
    checksum = base62.charAt(rest % 62) + checksum;
    rest = Math.floor(rest / 62);
  }
  return text + checksum;
}

/** The same with an invalid checksum. */
export function mistypedToken(serial: number): string {
  const token = unknownToken(serial);
  return token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
}
