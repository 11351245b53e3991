import { callerOf, numberUnder } from './caller.rules';

describe('the number that a network sends for a caller', () => {
  it.each([
    ['+14155550123', null, '+14155550123'],
    ['+1-(415)-555.0123', null, '+14155550123'],
    ['+14155550123;npdi;rn=+14155550999', null, '+14155550123'],
    ['4155550123', null, ''],
    ['14155550123', null, ''],
    ['1001', null, ''],
    ['0301234567', null, ''],
    ['004930123456', null, ''],
    ['+1234567890123456', null, ''],
    ['+0155550123', null, ''],
    ['+1415x550123', null, ''],
    ['anonymous', null, ''],
    ['+', null, ''],
    ['', null, ''],
    ['4155550123', 'US', '+14155550123'],
    ['14155550123', 'US', '+14155550123'],
    ['011493012345678', 'US', '+493012345678'],
    ['1001', 'US', ''],
    ['911', 'US', ''],
    ['1800FLOWERS', 'US', ''],
    ['0301234567', 'DE', '+49301234567'],
    ['004930123456', 'DE', '+4930123456'],
    ['0014155550123', 'DE', '+14155550123'],
    ['4930123456', 'DE', '+4930123456'],
    ['112', 'DE', ''],
    ['+41791234567', 'DE', '+41791234567'],
    ['0791234567;phone-context=+41', 'CH', '+41791234567'],
    ['999999999999999999999', 'DE', ''],
  ])('%j in the country %j is %j', (sent, country, number) => {
    expect(numberUnder(sent, country)).toBe(number);
  });

  it.each([
    ['+14155550123', { from: '+14155550123', fromRaw: null }],
    ['anonymous', { from: '', fromRaw: 'anonymous' }],
    ['4155550123', { from: '', fromRaw: '4155550123' }],
    ['a\0b\ud800', { from: '', fromRaw: 'a\ufffdb\ufffd' }],
    ['x'.repeat(128), { from: '', fromRaw: 'x'.repeat(128) }],
    ['x'.repeat(129), { from: '', fromRaw: 'x'.repeat(128) }],
    ['', { from: '', fromRaw: null }],
  ])('%j is kept as %j', (sent, caller) => {
    expect(callerOf(sent)).toEqual(caller);
  });
});
