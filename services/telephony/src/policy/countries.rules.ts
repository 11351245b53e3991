import { getCountries } from 'libphonenumber-js/max';
import type { OutboundPolicyUpdate } from '@parley/contract';

/**
 * Countries of ISO 3166-1 that an organization's policy lets it call without a review, sorted.
 * @param policy JSON of OutboundPolicyUpdate; undefined for none
 */
export function callableCountries(policy: string | undefined): string[] {
  const { destination_countries: rule } = policy === undefined ? {} : (JSON.parse(policy) as OutboundPolicyUpdate);
  const all: string[] = getCountries().filter((country) => /^[A-Z]{2}$/.test(country));
  const holds = rule && rule.mode !== 'off' && rule.mode !== 'shadow';
  return all.filter((country) => !holds || rule.countries.includes(country) === (rule.list === 'allow')).sort();
}
