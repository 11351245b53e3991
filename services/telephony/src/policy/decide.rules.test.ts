import type { DestinationCountriesRule, OutboundPolicyUpdate } from '@parley/contract';
import { decide, type Facts } from './decide.rules';

const usOnly: DestinationCountriesRule = { mode: 'enforce', list: 'allow', countries: ['US'] };
const facts: Facts = {
  act: 'call',
  to: '+14155550100',
  from: '+14155550199',
  // Noon in Los Angeles.
  at: new Date('2026-01-15T20:00:00Z'),
  rules: {},
  suppressed: new Set(),
  zones: ['America/Los_Angeles'],
  consent: false,
  knownHost: true,
};
const outcome = (changed: Partial<Facts>) => {
  const { suppressed, policy, waitSeconds } = decide({ ...facts, ...changed });
  return { suppressed, rules: policy.rules, waitSeconds };
};
const passed = { suppressed: false, rules: [], waitSeconds: undefined };

describe('decide', () => {
  const everything: Partial<Facts> = {
    to: '+19005550123',
    suppressed: new Set(['+19005550123']),
    rules: {
      destination_countries: { ...usOnly, countries: ['DE'] },
      quiet_hours: { mode: 'enforce', start: '11:00', end: '12:30' },
      consent_required: { mode: 'enforce' },
    },
  };

  it.each<[Facts['act'], string[], number | undefined]>([
    ['call', ['premium_rate_number', 'destination_country', 'quiet_hours', 'consent_required'], undefined],
    ['message', ['premium_rate_number', 'destination_country', 'quiet_hours', 'consent_required'], undefined],
    ['transfer', ['premium_rate_number', 'destination_country'], undefined],
    ['approval', [], undefined],
    ['permit', [], 1800],
    ['sending', [], undefined],
  ])('for the act %s: suppression, and the rules %j', (act, rules, waitSeconds) => {
    expect(outcome({ ...everything, act })).toEqual({ suppressed: true, rules, waitSeconds });
    expect(outcome({ act })).toEqual(passed);
  });

  it.each<[string, OutboundPolicyUpdate['quiet_hours'], number | undefined]>([
    ['as long as the rule is enforced', { mode: 'enforce', start: '11:00', end: '12:01' }, 60],
    ['not after their end', { mode: 'enforce', start: '11:00', end: '12:00' }, undefined],
    ['not in shadow mode', { mode: 'shadow', start: '11:00', end: '12:01' }, undefined],
    ['not without a rule', null, undefined],
  ])('a permitted call waits for the end of quiet hours: %s', (_, quiet_hours, waitSeconds) => {
    expect(outcome({ act: 'permit', rules: { quiet_hours } })).toEqual({ ...passed, waitSeconds });
  });

  describe('a transfer to a SIP address', () => {
    const transfer = (user: string, changed: Partial<Facts> = {}) =>
      outcome({ act: 'transfer', to: `sip:${user}@pbx.example`, ...changed });

    it.each(['desk', '201', '+14155550123'])('%s is refused at a foreign host only', (user) => {
      expect(transfer(user)).toEqual(passed);
      expect(transfer(user, { knownHost: false })).toEqual({ ...passed, rules: ['sip_host'] });
    });

    it('is refused for what is never dialed, at any host', () => {
      expect(transfer('911').rules).toEqual(['emergency_number']);
      expect(transfer('1010288911').rules).toEqual(['emergency_number']);
      expect(transfer('9005550123').rules).toEqual(['premium_rate_number']);
      expect(transfer('9005550123', { from: '' }).rules).toEqual([]);
      expect(transfer('911', { knownHost: false }).rules).toEqual(['emergency_number', 'sip_host']);
      expect(transfer('*67911').rules).toEqual(['unreadable_address']);
    });

    it.each([
      ['+14152000009', true],
      ['14152000009', true],
      ['+1-415-200-0009;user=phone', true],
      ['%2B14152000009', true],
      ['4152000009', true],
      ['0014152000009', true],
      ['914152000009', true],
      ['14152000009000', true],
      ['4152000009000', true],
      ['415200000900000', true],
      ['+14152000008', false],
      ['desk', false],
    ])('of the user %s to a suppressed number: %j', (user, suppressed) => {
      expect(transfer(user, { suppressed: new Set(['+14152000009']) }).suppressed).toBe(suppressed);
    });

    it.each([
      ['010130301234567', true],
      ['100503012345', false],
      ['010130301234568', false],
    ])(
      'of the user %s, which may begin with the prefix of a carrier, to a suppressed number: %j',
      (user, suppressed) => {
        expect(transfer(user, { suppressed: new Set(['+49301234567']) }).suppressed).toBe(suppressed);
      },
    );

    it.each([
      ['+14155550123', []],
      ['14155550123', []],
      ['4155550123', []],
      ['+442079460000', ['destination_country']],
      ['442079460000', ['destination_country']],
      ['011442079460000', ['destination_country']],
      ['+99912345', ['destination_country']],
      ['12345678', ['destination_country']],
      ['desk', []],
      ['201', []],
    ])('of the user %s under a list of countries: %j', (user, rules) => {
      expect(transfer(user, { rules: { destination_countries: usOnly } }).rules).toEqual(rules);
    });
  });

  it.each<[string, string, boolean]>([
    ['+14155550100', '+141555501000', true],
    ['+14155550100', '+141555501000000', true],
    ['+14155550100', '+1415555010', false],
    ['+14155550100', '+141555501001', true],
    ['+14155550100', '+14155550101', false],
    ['+33142000000', '+331420000001', true],
    ['+33142000000', '+330142000000', true],
    ['+493012345678', '+49301234567800', true],
    ['+493012345678', '+493012345679', false],
    ['+493012345678', '+4903012345678', true],
    ['+493012345678', '+490301234567800', true],
    ['+442079460000', '+4402079460000', true],
    // As it is written, although it is no valid number.
    ['+141555501000', '+141555501000', true],
    ['+141555501000', '+14155550100', false],
    ['+99912345', '+99912345', true],
  ])('with %s on the suppression list, for %s: %j', (listed, to, suppressed) => {
    for (const act of ['call', 'message', 'approval', 'permit', 'sending', 'transfer'] as const)
      expect(outcome({ act, to, suppressed: new Set([listed]) }).suppressed).toBe(suppressed);
  });

  it('a telephone number needs no host', () => {
    expect(outcome({ act: 'transfer', knownHost: false })).toEqual(passed);
  });
});
