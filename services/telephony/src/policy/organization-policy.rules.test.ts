import type { OutboundPolicyUpdate } from '@parley/contract';
import { checkByPolicy, quietUntil, type CheckedCall } from './organization-policy.rules';

const noon: CheckedCall = {
  numbers: ['+14155550100'],
  at: new Date('2026-01-15T20:00:00Z'),
  zones: ['America/Los_Angeles'],
  consent: false,
};
const check = (policy: OutboundPolicyUpdate, call: Partial<CheckedCall> = {}, always: readonly string[] = []) => {
  const { verdict, rules } = checkByPolicy(always, policy, { ...noon, ...call });
  return [verdict, ...rules];
};

describe('the outbound policy of an organization', () => {
  it.each([
    ['+14155550100', 'allow', ['US'], ['allowed']],
    ['+442079460000', 'allow', ['US'], ['blocked', 'destination_country']],
    ['+442079460000', 'allow', ['US', 'GB'], ['allowed']],
    ['+442079460000', 'deny', ['GB'], ['blocked', 'destination_country']],
    ['+14155550100', 'deny', ['GB'], ['allowed']],
    ['+99912345', 'allow', ['US'], ['blocked', 'destination_country']],
    ['+99912345', 'deny', ['US'], ['allowed']],
  ] as const)('call to %s with %s list %j: %j', (to, list, countries, expected) => {
    expect(
      check({ destination_countries: { mode: 'enforce', list, countries: [...countries] } }, { numbers: [to] }),
    ).toEqual(expected);
  });

  // The clocks of Los Angeles change forward on 2026-03-08 and back on 2026-11-01.
  it.each([
    ['21:00', '08:00', '2026-03-07T15:59:00Z', true],
    ['21:00', '08:00', '2026-03-07T16:00:00Z', false],
    ['21:00', '08:00', '2026-03-08T14:59:00Z', true],
    ['21:00', '08:00', '2026-03-08T15:00:00Z', false],
    ['21:00', '08:00', '2026-03-09T03:59:59Z', false],
    ['21:00', '08:00', '2026-03-09T04:00:00Z', true],
    ['21:00', '08:00', '2026-11-01T15:59:00Z', true],
    ['21:00', '08:00', '2026-11-01T16:00:00Z', false],
    ['12:00', '13:00', '2026-01-15T19:59:00Z', false],
    ['12:00', '13:00', '2026-01-15T20:00:00Z', true],
    ['12:00', '13:00', '2026-01-15T20:59:00Z', true],
    ['12:00', '13:00', '2026-01-15T21:00:00Z', false],
    ['00:00', '00:01', '2026-01-15T08:00:00Z', true],
    ['00:00', '00:01', '2026-01-15T08:01:00Z', false],
  ])('quiet hours from %s to %s: at %s quiet: %s', (start, end, at, quiet) => {
    expect(check({ quiet_hours: { mode: 'enforce', start, end } }, { at: new Date(at) })).toEqual(
      quiet ? ['blocked', 'quiet_hours'] : ['allowed'],
    );
  });

  it.each([
    // No quiet hours at this time.
    ['21:00', '08:00', ['America/Los_Angeles'], '2026-01-15T20:00:00Z', undefined],
    ['21:00', '08:00', [], '2026-01-15T09:00:00Z', undefined],
    ['21:00', '08:00', ['America/Los_Angeles'], '2026-01-15T16:00:00Z', undefined],
    ['21:00', '08:00', ['America/Los_Angeles'], '2026-01-15T15:59:30Z', '2026-01-15T16:00:00Z'],
    ['21:00', '08:00', ['America/Los_Angeles'], '2026-01-16T05:00:00Z', '2026-01-16T16:00:00Z'],
    // The nights in which daylight saving time begins and ends.
    ['21:00', '08:00', ['America/Los_Angeles'], '2026-03-08T05:00:00Z', '2026-03-08T15:00:00Z'],
    ['21:00', '08:00', ['America/Los_Angeles'], '2026-11-01T04:00:00Z', '2026-11-01T16:00:00Z'],
    ['12:00', '13:30', ['America/Los_Angeles'], '2026-01-15T20:10:00Z', '2026-01-15T21:30:00Z'],
    // Quiet hours end in Los Angeles at 16:00 and begin in Berlin at 20:00 (UTC), so four hours are outside both.
    ['21:00', '08:00', ['America/Los_Angeles', 'Europe/Berlin'], '2026-01-15T15:00:00Z', '2026-01-15T16:00:00Z'],
    ['21:00', '08:00', ['Europe/Berlin', 'America/Los_Angeles'], '2026-01-15T20:30:00Z', '2026-01-16T16:00:00Z'],
    // No time is outside the quiet hours of both zones: the call is evaluated again a day later.
    ['08:00', '07:59', ['America/Los_Angeles', 'Europe/Berlin'], '2026-01-15T15:00:00Z', '2026-01-16T15:00:00Z'],
  ] as const)('quiet hours from %s to %s in zones %j: at %s a call waits until %s', (start, end, zones, at, until) => {
    const waits = quietUntil({ mode: 'enforce', start, end }, zones, new Date(at));
    expect(waits?.toISOString()).toBe(until?.replace('Z', '.000Z'));
  });

  it('quiet hours apply if they apply in one of the zones, or if no zone is known', () => {
    const policy: OutboundPolicyUpdate = {
      quiet_hours: { mode: 'enforce', start: '21:00', end: '08:00', action: 'review' },
    };
    expect(check(policy)).toEqual(['allowed']);
    expect(check(policy, { zones: ['America/Los_Angeles', 'Europe/Berlin'] })).toEqual(['review', 'quiet_hours']);
    expect(check(policy, { zones: [] })).toEqual(['review', 'quiet_hours']);
  });

  it('consent_required blocks a call without consent in mode enforce only', () => {
    expect(check({ consent_required: { mode: 'enforce' } })).toEqual(['blocked', 'consent_required']);
    expect(check({ consent_required: { mode: 'enforce' } }, { consent: true })).toEqual(['allowed']);
    expect(check({ consent_required: { mode: 'off' } })).toEqual(['allowed']);
    expect(check({ consent_required: null })).toEqual(['allowed']);
  });

  it('action block outweighs action review; a rule in mode shadow only records its verdict', () => {
    const consent_required = { mode: 'enforce', action: 'review' } as const;
    const destination_countries = { list: 'deny', countries: ['US'] } as const;
    const both = (mode: 'enforce' | 'shadow'): OutboundPolicyUpdate => ({
      consent_required,
      destination_countries: { ...destination_countries, countries: ['US'], mode },
    });
    expect(check(both('enforce'))).toEqual(['blocked', 'destination_country', 'consent_required']);
    const shadowed = checkByPolicy([], both('shadow'), noon);
    expect(shadowed).toMatchObject({ verdict: 'review', rules: ['consent_required'] });
    expect(JSON.parse(shadowed.notes ?? '')).toMatchObject({
      reasons: [expect.any(String)],
      shadow: [{ rule: 'destination_country', verdict: 'blocked', reason: expect.any(String) as unknown }],
    });
  });

  it('a premium-rate number stays blocked with any policy, with its reason', () => {
    const premium = ['premium_rate_number'];
    expect(check({}, {}, premium)).toEqual(['blocked', 'premium_rate_number']);
    const held = { consent_required: { mode: 'enforce', action: 'review' } } as const;
    expect(check(held, {}, premium)).toEqual(['blocked', 'premium_rate_number', 'consent_required']);
    expect(JSON.parse(checkByPolicy(premium, {}, noon).notes ?? '')).toEqual({ reasons: [expect.any(String)] });
  });
});
