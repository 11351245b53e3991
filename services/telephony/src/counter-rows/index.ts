/** How the counter row of an organization is found while a transaction keeps an old snapshot. */
export { atCounterRow, eraOf, inEra, nextEra } from './counter-row.sql';
