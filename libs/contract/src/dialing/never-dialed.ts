import parsePhoneNumber from 'libphonenumber-js/max';
import { dialedAddress, dialedForms, type DialedAddress, isAssigned, isExtension, remembered } from './dialed-address';
import { mostExtraDigits } from './reachable-numbers';
import { enquiryPrefixes, sharedCodes } from './number-ranges';

export const neverRules = ['emergency_number', 'premium_rate_number', 'unreadable_address'] as const;
export type NeverRule = (typeof neverRules)[number];

/** Emergency and other service numbers have national numbers this short; no subscriber does. */
const longestShortCode = 3;

const emergency = '(?:000|112|911|999)';
const beginsWithEmergency = new RegExp(`^${emergency}`);
/** Of at most six digits: emergency and service numbers of any country, also with more digits before or after. */
const serviceNumber = new RegExp(`^(?:\\d{1,2}|[019]\\d\\d|[2-8]11|${emergency}\\d*|\\d*${emergency})$`);
/** The same behind the prefix of a carrier, where no other digits come before them. */
const serviceNumberBehind = new RegExp(`^(?:\\d{1,2}|[019]\\d\\d|[2-8]11|${emergency}\\d{0,3})$`);

function isEmergency(address: DialedAddress): boolean {
  const { numbers, digits } = address;
  if (isExtension(address)) return dialedForms(digits).some((form) => serviceNumber.test(form));
  return numbers.some(isEmergencyNumber) || (beginsWithEmergency.test(digits) && !numbers.some(isAssigned));
}

function isEmergencyNumber(number: string): boolean {
  const { nationalNumber = '' } = parsePhoneNumber(number) ?? {};
  if (number.length - 1 <= longestShortCode) return true;
  if (nationalNumber === '') return false;
  return nationalNumber.length <= longestShortCode || (beginsWithEmergency.test(nationalNumber) && !isAssigned(number));
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

/**
 * The rules by which an address is never dialed, whatever an organization or an operator sets (docs/reference/starting.md); empty: they allow it. Numbers
 * unknown to the metadata are neither premium-rate nor emergency numbers.
 * @param own the number that dials, in E.164 form, if it is known
 */
export const neverDialed = remembered((address, own) => rulesAgainst(dialedAddress(address, own)));

function rulesAgainst(address: DialedAddress | undefined): readonly NeverRule[] {
  if (address === undefined) return ['unreadable_address'];
  const { behind } = address;
  const rules: NeverRule[] = [];
  if (isEmergency(address) || behind.some(({ digits }) => serviceNumberBehind.test(digits)))
    rules.push('emergency_number');
  if ([address, ...behind].some(({ numbers }) => numbers.some(isPremiumRate))) rules.push('premium_rate_number');
  return rules;
}
