import parsePhoneNumber, { getCountryCallingCode } from 'libphonenumber-js/max';
import { carrierPrefixes } from './number-ranges';

/** What is dialed: a telephone number, or the user part of a SIP address and its host. */
export interface DialedAddress {
  /** In lower case; undefined for a telephone number. */
  readonly host: string | undefined;
  /** Every number in E.164 form that a network may read in it; none for a name such as desk. */
  readonly numbers: readonly string[];
  /** The digits of a number without a plus sign, which may also be a short number of the callee's network; empty: there is none. */
  readonly digits: string;
  /** What is dialed if its first digits select a carrier, once for each carrier; none if it is a complete number as it is. */
  readonly behind: readonly DialedAddress[];
}

/** Numbers without a plus sign up to this length may be extensions of the callee's network, so they are no international numbers. */
const longestExtension = 6;
const longestNumber = 15;

/** Whether an address is an extension or a short number of the callee's network. */
export const isExtension = ({ digits }: DialedAddress): boolean => digits !== '' && digits.length <= longestExtension;

const e164 = /^\+[1-9]\d{1,14}$/;
const sipAddress = /^sip:(?<user>[^@]+)@(?<host>[^@:;]+?)\.?(?::\d{1,5})?(?<phone>;user=phone)?$/;
/** User parts by which networks reach the emergency services (RFC 5031). */
const emergencyName = /^(?:(?:urn:service:)?sos|psap|e-?(?:112|911|999))(?![a-z])/;

/**
 * Reads an address as the networks behind it may read it: percent escapes, visual separators and parameters of the user part are resolved, and digits without
 * a plus sign are read as an international number and as a national one, with and without a digit for an outside line. Names of the emergency services are read
 * as 911. Undefined: it cannot be read with certainty.
 * @param own the number that dials, in E.164 form; digits are national in its country
 */
export function dialedAddress(address: string, own = ''): DialedAddress | undefined {
  if (e164.test(address)) return withBehind({ host: undefined, numbers: [address], digits: '', behind: [] });
  const { user = '', host = '', phone } = sipAddress.exec(address)?.groups ?? {};
  const text = unescaped(user)?.replace(/^tel:/, '') ?? '';
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes('@')) return undefined;
  const to = { host: host.toLowerCase(), numbers: [], digits: '', behind: [] };
  const dialed = (/^[^;,?&=$]*/.exec(text)?.[0] ?? '').replace(/[^a-z0-9+*#]/g, '');
  if (emergencyName.test(text)) return { ...to, digits: '911' };
  const context = /;phone-context=\+?([\d().-]+)/.exec(text)?.[1]?.replace(/\D/g, '') ?? '';
  // Few digits before letters are part of a name; more may be dialed alone.
  if (/^\d{0,2}[a-z]/.test(dialed)) return phone === undefined && !/;(?:user|phone-)/.test(text) ? to : undefined;
  if (e164.test(dialed)) return withBehind({ ...to, numbers: [dialed] });
  const digits = /^\d+(?=$|[a-z])/.exec(dialed)?.[0];
  if (digits === undefined || digits.length > longestNumber) return undefined;
  const read = { ...to, numbers: readings(digits, context, own), digits };
  return read.numbers.length > 0 || isExtension(read) ? withBehind(read) : undefined;
}

export const isAssigned = (number: string): boolean => parsePhoneNumber(number)?.isValid() === true;

/** Adds what a prefix may hide. A country code may have been written before the prefix, with or without the zero of a national number. */
function withBehind(address: DialedAddress): DialedAddress {
  const { host, numbers, digits } = address;
  if (numbers.some(isAssigned)) return address;
  const [number = ''] = numbers;
  const { countryCallingCode = '' } = parsePhoneNumber(number) ?? {};
  const national = number.slice(1 + countryCallingCode.length);
  const behind = carrierPrefixes.flatMap(([country, prefix]) => {
    const ofCountry = getCountryCallingCode(country) === countryCallingCode ? [national, `0${national}`] : [];
    // The plus sign of a number that cannot be one may have been added to digits as they are dialed.
    const forms = digits === '' ? [number.slice(1), ...ofCountry] : dialedForms(digits);
    if (digits === '' && ofCountry.length === 0) return [];
    return [...new Set(forms)].flatMap((form) => {
      const rest = form.replace(prefix, '');
      if (rest === form || rest === '') return [];
      const found = parsePhoneNumber(rest, country)?.number;
      return [{ host, numbers: found === undefined ? [] : [found], digits: rest, behind: [] }];
    });
  });
  return { ...address, behind };
}

/** The text without escapes, also double ones and digits of other scripts that have ASCII forms; undefined: an escape is malformed. */
function unescaped(user: string): string | undefined {
  try {
    for (let text = user; ;) {
      const plain = decodeURIComponent(text).normalize('NFKC').toLowerCase();
      if (plain === text) return text.replace(/\s/g, '');
      text = plain;
    }
  } catch {
    return undefined;
  }
}

/** Digits after which an outside line is dialed. */
const outsideLine = /^[09]/;

/** The digits, and also without their first one if it may request an outside line. */
export const dialedForms = (digits: string): readonly string[] =>
  outsideLine.test(digits) ? [digits, digits.slice(1)] : [digits];

function readings(digits: string, context: string, own: string): string[] {
  const home = parsePhoneNumber(own);
  const defaultCallingCode = home?.countryCallingCode;
  const [defaultCountry] = home?.getPossibleCountries() ?? [];
  // Only the country also has prefixes of its own before international numbers, and the code may be one without a country.
  const local = [{ defaultCallingCode }, { defaultCountry }];
  const found = dialedForms(digits).flatMap((form) => [
    `+${form.replace(/^(?:00|011)/, '')}`,
    ...(context === '' ? [] : [`+${context}${form.replace(/^0/, '')}`]),
    ...local.map((one) => String(parsePhoneNumber(form, one)?.number)),
  ]);
  // Networks ignore what follows a complete number.
  return [...new Set(found.map((number) => number.slice(0, longestNumber + 1)))].filter((number) => e164.test(number));
}

const mostKnown = 10_000;

/** A cache of what is found out about addresses: campaigns call the same numbers repeatedly, and evaluating the metadata takes tens of microseconds per number. */
export function remembered<Found>(find: (address: string, own: string) => Found) {
  const known = new Map<string, Found>();
  return (address: string, own = ''): Found => {
    const key = address.startsWith('+') ? address : `${address} ${own}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = find(address, own);
    if (known.size >= mostKnown) known.clear();
    known.set(key, found);
    return found;
  };
}
