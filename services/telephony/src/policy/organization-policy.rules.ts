import type { DestinationCountriesRule, OutboundPolicyUpdate, QuietHoursRule } from '@parley/contract';
import parsePhoneNumber, { getCountries } from 'libphonenumber-js/max';
import type { PolicyDecision } from '../books/calls/call.rules';

/** The properties of a call that an organization's policy rules check. */
export interface CheckedCall {
  /** The number in E.164 form. A SIP address may be read as several numbers, or as none. */
  readonly numbers: readonly string[];
  /** When the call is to be placed. */
  readonly at: Date;
  /** The time zones in which the number may be (IANA names); empty: unknown. */
  readonly zones: readonly string[];
  readonly consent: boolean;
}

interface Objection {
  readonly rule: string;
  readonly verdict: 'blocked' | 'review';
  readonly reason: string;
}

const verdictOf = { block: 'blocked', review: 'review' } as const;

const alwaysReasons: Readonly<Record<string, string>> = {
  emergency_number: 'emergency and service numbers are never called',
  premium_rate_number: 'premium-rate numbers are never called',
  unreadable_address: 'the address cannot be read with certainty as a number or a name',
  sip_host: 'the host is neither that of a trunk of the organization nor listed by the operator',
};

/**
 * Combines an organization's own rules with `always`, the rules for all organizations that block it. Rules in shadow mode are only noted on the record. A
 * call is blocked if any enforced rule blocks it; otherwise it is held if any requires a review. Pure.
 */
export function checkByPolicy(
  always: readonly string[],
  policy: OutboundPolicyUpdate,
  call: CheckedCall,
): PolicyDecision {
  const enforced: Objection[] = always.map((rule) => ({
    rule,
    verdict: 'blocked',
    reason: alwaysReasons[rule] ?? rule,
  }));
  const shadow: Objection[] = [];
  for (const { rule, settings, reason } of reasonsOf(policy, call)) {
    if (reason === undefined || settings.mode === 'off') continue;
    const list = settings.mode === 'shadow' ? shadow : enforced;
    list.push({ rule, verdict: verdictOf[settings.action ?? 'block'], reason });
  }
  if (enforced.length === 0 && shadow.length === 0) return { verdict: 'allowed', rules: [] };
  const blocked = enforced.some(({ verdict }) => verdict === 'blocked');
  return {
    verdict: enforced.length === 0 ? 'allowed' : blocked ? 'blocked' : 'review',
    rules: enforced.map(({ rule }) => rule),
    notes: JSON.stringify({
      ...(enforced.length > 0 && { reasons: enforced.map(({ reason }) => reason) }),
      ...(shadow.length > 0 && { shadow }),
    }),
  };
}

function reasonsOf({ destination_countries, quiet_hours, consent_required }: OutboundPolicyUpdate, call: CheckedCall) {
  const spoken = [];
  if (destination_countries) {
    const reason = countryReason(destination_countries, call);
    spoken.push({ rule: 'destination_country', settings: destination_countries, reason });
  }
  if (quiet_hours) spoken.push({ rule: 'quiet_hours', settings: quiet_hours, reason: quietReason(quiet_hours, call) });
  if (consent_required) {
    const reason = call.consent ? undefined : 'the call does not state that the callee consented';
    spoken.push({ rule: 'consent_required', settings: consent_required, reason });
  }
  return spoken;
}

function countryReason({ list, countries }: DestinationCountriesRule, { numbers }: CheckedCall): string | undefined {
  for (const country of countriesOf(numbers)) {
    if (country === undefined ? list === 'deny' : countries.includes(country) === (list === 'allow')) continue;
    return country === undefined ? 'the country of the number is not known' : `calls to ${country} are not allowed`;
  }
  return undefined;
}

/** The countries in which the number may be. Of several readings only those that are numbers of a country count, if there are any. */
function countriesOf(numbers: readonly string[]): readonly (string | undefined)[] {
  const read = numbers.map((number) => parsePhoneNumber(number));
  const valid = numbers.length === 1 ? read : read.filter((number) => number?.isValid());
  return numbers.length > 0 && valid.length === 0 ? [undefined] : valid.map((number) => number?.country);
}

function quietReason(rule: QuietHoursRule, { at, zones }: CheckedCall): string | undefined {
  if (zones.length === 0) return 'the time zone of the number is not known';
  const quiet = quietZone(rule, zones, at);
  return quiet && `it is ${quiet.time} in ${quiet.zone}, and calls are not allowed from ${rule.start} to ${rule.end}`;
}

/** The first zone in which it is quiet hours now. If a number's zone is ambiguous, quiet hours in any possible zone count. */
function quietZone(
  { start, end }: QuietHoursRule,
  zones: readonly string[],
  at: Date,
): { readonly zone: string; readonly time: string } | undefined {
  for (const zone of zones) {
    const time = timeIn(zone, at);
    if (start < end ? time >= start && time < end : time >= start || time < end) return { zone, time };
  }
  return undefined;
}

const minuteMs = 60_000;
const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;

const minuteOfDay = (time: string): number => Number(time.slice(0, 2)) * hourMinutes + Number(time.slice(3));

/**
 * The next whole minute at which none of the zones has quiet hours; a day later if there is no such minute. Undefined: no zone has quiet hours at `at`, or the
 * zones are unknown. The search advances by at most an hour per step, so that a clock change on the way is taken into account.
 */
export function quietUntil(rule: QuietHoursRule, zones: readonly string[], at: Date): Date | undefined {
  if (quietZone(rule, zones, at) === undefined) return undefined;
  const dayLater = at.getTime() + dayMinutes * minuteMs;
  let then = at;
  while (then.getTime() < dayLater) {
    const quiet = quietZone(rule, zones, then);
    if (quiet === undefined) return then;
    const left = (minuteOfDay(rule.end) - minuteOfDay(quiet.time) + dayMinutes) % dayMinutes;
    const minute = Math.floor(then.getTime() / minuteMs);
    then = new Date((minute + Math.min(left, hourMinutes)) * minuteMs);
  }
  return new Date(dayLater);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Local time as HH:MM. */
function timeIn(zone: string, at: Date): string {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    formats.set(zone, format);
  }
  return format.format(at);
}

/**
 * ISO 3166-1 codes of the countries that an organization's policy allows it to call without a review, sorted.
 * @param policy JSON of OutboundPolicyUpdate; undefined for none
 */
export function callableCountries(policy: string | undefined): string[] {
  const { destination_countries: rule } = policy === undefined ? {} : (JSON.parse(policy) as OutboundPolicyUpdate);
  const all: string[] = getCountries().filter((country) => /^[A-Z]{2}$/.test(country));
  const holds = rule && rule.mode !== 'off' && rule.mode !== 'shadow';
  return all.filter((country) => !holds || rule.countries.includes(country) === (rule.list === 'allow')).sort();
}
