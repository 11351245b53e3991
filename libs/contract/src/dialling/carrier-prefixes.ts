import type { CountryCode } from 'libphonenumber-js/max';

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
