import { outsideText } from '@parley/contract';
import parsePhoneNumber, { type CountryCode } from 'libphonenumber-js/max';

/** Who calls, according to the network of the caller. */
export interface Caller {
  /** In E.164 form; empty for none. */
  readonly from: string;
  /** What was sent in place of a number; null if there is a number, or nothing was sent. */
  readonly fromRaw: string | null;
}

const longestRaw = 128;
const e164 = /^\+[1-9]\d{1,14}$/;

/**
 * The number in E.164 form; empty for any other text. User parameters (;npdi, ;phone-context) and visual separators (RFC 3966) are not part of a number. Digits
 * without a plus are a number only if the country is known in which they are dialed. Pure.
 * @param country ISO 3166; null: numbers are as sent
 */
export function numberUnder(sent: string, country: string | null): string {
  const [user = ''] = sent.split(';');
  const digits = user.replace(/[-.() ]/g, '');
  if (e164.test(digits)) return digits;
  if (country === null || !/^\d{2,20}$/.test(digits)) return '';
  const parsed = parsePhoneNumber(digits, country as CountryCode);
  return parsed?.isValid() === true ? parsed.number : '';
}

/** Pure. @param number what the text means, if its carrier knows more than its form says */
export function callerOf(sent: string, number = numberUnder(sent, null)): Caller {
  return { from: number, fromRaw: number !== '' || sent === '' ? null : outsideText(sent, longestRaw) };
}
