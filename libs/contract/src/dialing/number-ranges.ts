import type { CountryCode } from 'libphonenumber-js/max';
import ranges from './number-ranges.json';

/**
 * Country codes without a country, which satellite networks, shared-cost and premium services have. Sources: the recommendation that is named, else ITU-T E.164,
 * list of assigned country codes (annex to ITU Operational Bulletin 1114).
 */
export const sharedCodes: readonly string[] = ranges.sharedCodes.map(({ code }) => code);

/**
 * Directory enquiries: country codes with the first digits of national short codes; of the countries with 118 by CEPT ECTRA/REC(97)01, which they follow by their
 * national numbering plans (ITU-T E.129; Ofcom, ARCEP, BNetzA, RATEL, ...) and the short numbers of Google's libphonenumber. Longer numbers that begin like them may be geographic (+44118 is also Reading), so these
 * prefixes apply only to numbers that are not assigned otherwise.
 */
export const enquiryPrefixes: readonly string[] = [
  ...ranges.countriesWith118.map((country) => `${country}118`),
  ...ranges.enquiryPrefixes.map(({ prefix }) => prefix),
];

/**
 * Prefixes that select the carrier of a single call, by national numbering plans (ITU-T E.129, with the authority and its name for them). Prefixes of countries
 * whose metadata removes them, such as BR and KR, are not listed. The country is that in which the digits behind the prefix are dialed.
 */
export const carrierPrefixes = ranges.carrierPrefixes.map(
  ({ country, pattern }) => [country as CountryCode, new RegExp(pattern)] as const,
);
