import parsePhoneNumber from 'libphonenumber-js/max';
import { dialledAddress, dialledForms, type DialledAddress } from './dialled-address';
import { enquiryPrefixes, sharedCodes } from './premium-ranges';

export const neverRules = ['emergency_number', 'premium_rate_number', 'unreadable_address'] as const;
export type NeverRule = (typeof neverRules)[number];

/** Emergency and other service numbers have national numbers this short; no subscriber does. */
const longestShortCode = 3;
/** Numbers without a plus sign up to this length may be extensions of the callee's network, so they are no international numbers. */
const longestExtension = 6;
/** Networks ignore digits after a complete number, so a forbidden number with up to this many extra digits must be recognized. */
const mostExtraDigits = 6;

/** Whether an address is an extension or a short number of the callee's network. */
export const isExtension = ({ digits }: DialledAddress): boolean => digits !== '' && digits.length <= longestExtension;

const emergency = '(?:000|112|911|999)';
const beginsWithEmergency = new RegExp(`^${emergency}`);
/** Of at most six digits: emergency and service numbers of any country, also with more digits before or after. */
const serviceNumber = new RegExp(`^(?:\\d{1,2}|[019]\\d\\d|[2-8]11|${emergency}\\d*|\\d*${emergency})$`);

const isValid = (number: string): boolean => parsePhoneNumber(number)?.isValid() === true;

function isEmergency(address: DialledAddress): boolean {
  const { numbers, digits } = address;
  if (isExtension(address)) return dialledForms(digits).some((form) => serviceNumber.test(form));
  return numbers.some(isEmergencyNumber) || (beginsWithEmergency.test(digits) && !numbers.some(isValid));
}

function isEmergencyNumber(number: string): boolean {
  const { nationalNumber = '' } = parsePhoneNumber(number) ?? {};
  if (number.length - 1 <= longestShortCode) return true;
  if (nationalNumber === '') return false;
  return nationalNumber.length <= longestShortCode || (beginsWithEmergency.test(nationalNumber) && !isValid(number));
}

function isPremiumRate(number: string): boolean {
  const begins = (prefix: string): boolean => number.startsWith(prefix, 1);
  if (sharedCodes.some(begins)) return true;
  for (let extra = 0; extra <= mostExtraDigits; extra += 1) {
    const type = parsePhoneNumber(number.slice(0, number.length - extra))?.getType();
    if (type !== undefined) return type === 'PREMIUM_RATE' || type === 'SHARED_COST';
  }
  return enquiryPrefixes.some(begins);
}

/** Cache of decisions: campaigns call the same numbers repeatedly, and evaluating the metadata takes tens of microseconds per number. */
const known = new Map<string, readonly NeverRule[]>();
const mostKnown = 10_000;

/**
 * The rules by which an address is never dialed, whatever an organization or an operator sets (docs/reference/starting.md); empty: they allow it. Numbers
 * unknown to the metadata are neither premium-rate nor emergency numbers.
 * @param own the number that dials, in E.164 form, if it is known
 */
export function neverDialled(address: string, own = ''): readonly NeverRule[] {
  const key = address.startsWith('+') ? address : `${address} ${own}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const rules = rulesAgainst(dialledAddress(address, own));
  if (known.size >= mostKnown) known.clear();
  known.set(key, rules);
  return rules;
}

function rulesAgainst(address: DialledAddress | undefined): NeverRule[] {
  if (address === undefined) return ['unreadable_address'];
  const rules: NeverRule[] = [];
  if (isEmergency(address)) rules.push('emergency_number');
  if (address.numbers.some(isPremiumRate)) rules.push('premium_rate_number');
  return rules;
}
