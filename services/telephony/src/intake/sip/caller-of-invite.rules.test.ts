import { callerOfInvite, dialedOn } from './caller-of-invite.rules';

describe('the caller of an INVITE', () => {
  it.each([
    ['4155550123', null, { from: '', fromRaw: '4155550123' }],
    ['1001', null, { from: '', fromRaw: '1001' }],
    ['0301234567', null, { from: '', fromRaw: '0301234567' }],
    ['004930123456', null, { from: '', fromRaw: '004930123456' }],
    ['+4155550123', null, { from: '+4155550123', fromRaw: null }],
    ['4155550123', 'US', { from: '+14155550123', fromRaw: null }],
    ['1001', 'US', { from: '', fromRaw: '1001' }],
    ['0301234567', 'DE', { from: '+49301234567', fromRaw: null }],
    ['004930123456', 'DE', { from: '+4930123456', fromRaw: null }],
    ['anonymous', 'DE', { from: '', fromRaw: 'anonymous' }],
    ['', 'DE', { from: '', fromRaw: null }],
  ])('is read from %j under the country %j', (from, country, caller) => {
    expect(callerOfInvite({ from, asserted: '', privacy: '' }, { country, trusted: false })).toEqual(caller);
  });

  const asserting = '"Ann" <sip:+14155550177@carrier.example;user=phone>';
  it.each<[string, Parameters<typeof callerOfInvite>[0], string | null, boolean, string]>([
    ['counts', { from: 'anonymous', asserted: asserting, privacy: '' }, null, true, '+14155550177'],
    ['counts as tel', { from: '', asserted: '<tel:+14155550177>', privacy: 'none' }, null, true, '+14155550177'],
    ['counts if escaped', { from: '', asserted: '<sip:%2B14155550177@a>', privacy: '' }, null, true, '+14155550177'],
    [
      'counts in the second',
      { from: '', asserted: `<sip:ann@a>, ${asserting}`, privacy: '' },
      null,
      true,
      '+14155550177',
    ],
    [
      'counts in the form of the country',
      { from: '', asserted: '<sip:4155550177@a>', privacy: '' },
      'US',
      true,
      '+14155550177',
    ],
    [
      'does not count if the trunk is not trusted',
      { from: 'anonymous', asserted: asserting, privacy: '' },
      null,
      false,
      '',
    ],
    [
      'does not count if From has a number',
      { from: '+14155550123', asserted: asserting, privacy: '' },
      null,
      true,
      '+14155550123',
    ],
    [
      'does not count if the caller hides it (id)',
      { from: 'anonymous', asserted: asserting, privacy: 'id' },
      null,
      true,
      '',
    ],
    [
      'does not count if the caller hides it (list)',
      { from: 'anonymous', asserted: asserting, privacy: 'session; ID' },
      null,
      true,
      '',
    ],
    [
      'does not count in a name',
      { from: 'anonymous', asserted: '"<sip:+14155550199@a>" <sip:ann@a>', privacy: '' },
      null,
      true,
      '',
    ],
    [
      'does not count if it is no number',
      { from: 'anonymous', asserted: '<sip:4155550177@a>', privacy: '' },
      null,
      true,
      '',
    ],
    ['does not count if malformed', { from: 'anonymous', asserted: '"<sip:%', privacy: '' }, null, true, ''],
  ])('an asserted identity %s', (_, said, country, trusted, from) => {
    expect(callerOfInvite(said, { country, trusted })).toEqual({ from, fromRaw: from === '' ? said.from : null });
  });
});

describe('the number that an INVITE asks for', () => {
  it.each([
    ['+14155550100', null, '+14155550100'],
    ['14155550100', null, '+14155550100'],
    ['+14155550100;npdi', null, '+14155550100'],
    ['+14155550100;npdi;rn=+14155550999', null, '+14155550100'],
    ['14155550100;phone-context=+1', null, '+14155550100'],
    ['0014155550100', null, ''],
    ['4155550100', 'US', '+14155550100'],
    ['0014155550100', 'DE', '+14155550100'],
    ['030123456', 'DE', '+4930123456'],
    ['+1415x550100', null, ''],
    [';npdi', null, ''],
    ['+', null, ''],
    ['1234567890123456', null, ''],
    ['', null, ''],
  ])('of %j on a trunk of the country %j is %j', (to, country, number) => {
    expect(dialedOn({ country }, to)).toBe(number);
  });
});
