import type { CountryCode } from 'libphonenumber-js/max';

/**
 * Country codes without a country, which satellite networks, shared-cost and premium services have. Sources: the recommendation that is named, else ITU-T E.164,
 * list of assigned country codes (annex to ITU Operational Bulletin 1114).
 */
export const sharedCodes: readonly string[] = [
  '808', // international shared cost (ITU-T E.169.3)
  '870', // Inmarsat
  '878', // universal personal telecommunication (ITU-T E.168)
  '881', // global mobile satellite systems
  '882', // international networks
  '883', // international networks
  '888', // telecommunications for disaster relief
  '979', // international premium rate (ITU-T E.169.2)
];

/** CEPT ECTRA/REC(97)01: 118 is for directory enquiries. Countries that follow it, by their national numbering plans (ITU-T E.129; Ofcom, ARCEP, BNetzA, ...). */
const countriesWith118 = '30 33 34 36 40 43 44 45 46 48 49 90 352 353 356 357 358 359 371 372 385 386 420 421';

/**
 * Directory enquiries: country codes with the first digits of national short codes. Longer numbers that begin like them may be geographic (+44118 is also
 * Reading), so these prefixes apply only to numbers that are not assigned otherwise.
 */
export const enquiryPrefixes: readonly string[] = [
  ...countriesWith118.split(' ').map((country) => `${country}118`),
  '3118', // NL, 18xy: ACM, Nummerplan telefoon- en ISDN-diensten
  '32120', // BE, 1207: BIPT, numbering plan
  '32130', // BE, 1307: the same
  '32140', // BE, 1407: the same
  '35418', // IS, 18xx: Fjarskiptastofa, numbering plan
  '3912', // IT, 12xy: AGCOM, piano di numerazione nazionale
  '4118', // CH, 18xx: OFCOM, numbering plan E.164
  '4718', // NO, 18xx: Nkom, numbering plan
  '6112', // AU, 1223, 1234, 12455: ACMA, Telecommunications Numbering Plan
];

/**
 * Prefixes that select the carrier of a single call, by national numbering plans (ITU-T E.129, with the authority and its name for them). Prefixes of countries
 * whose metadata removes them, such as BR and KR, are not listed. The country is that in which the digits behind the prefix are dialed.
 */
export const carrierPrefixes: readonly (readonly [CountryCode, RegExp])[] = [
  ['US', /^101\d{4}/], // 101XXXX, also called 10-10: NANPA, Carrier Identification Codes
  ['DE', /^010[1-9]\d/], // 010xy: BNetzA, Kennzahlen für Betreiberauswahl
  ['DE', /^0100\d\d/], // 0100yy: the same
  ['AT', /^10\d\d/], // 10xx: RTR, Betreiberauswahl
  ['CH', /^10[78]\d\d/], // 107xx, 108xx: OFCOM, Carrier Selection Codes
  ['CZ', /^10\d\d/], // 10xx: CTU, volba operátora
  ['ES', /^10\d\d/], // 10xx: CNMC, códigos de selección de operador
  ['ES', /^10\d{3}/], // 10xxx: the same
  ['IT', /^10\d\d/], // 10xy: AGCOM, codici di carrier selection
  ['IT', /^10\d{3}/], // 10xyz: the same
  ['PL', /^10\d\d/], // 10xy: UKE, numery dostępu do sieci
  ['PT', /^10\d\d/], // 10xy: ANACOM, códigos de selecção de operador
  ['IE', /^13\d{3}/], // 13xxx: ComReg, carrier access codes
  ['AU', /^14\d\d/], // 14xx: ACMA, override codes
  ['HU', /^15\d\d/], // 15xx: NMHH, közvetítőválasztó előtét
  ['NO', /^15\d\d/], // 15xx: Nkom, prefiks
  ['FR', /^16\d\d/], // 16XY: ARCEP, sélection du transporteur
  ['NL', /^16\d\d/], // 16xx: ACM, carrierkeuzecodes
  ['NL', /^16\d{3}/], // 16xxx: the same
  ['SE', /^95\d\d/], // 95xx: PTS, operatörsprefix
];
