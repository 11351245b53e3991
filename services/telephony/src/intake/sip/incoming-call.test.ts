import { numberOf } from './incoming-call';

describe('the number in the user part of a SIP address', () => {
  it.each([
    ['+14155550100', '+14155550100'],
    ['14155550100', '+14155550100'],
    ['+14155550100;npdi', '+14155550100'],
    ['+14155550100;npdi;rn=+14155550999', '+14155550100'],
    ['14155550100;phone-context=+1', '+14155550100'],
    ['+1-(415)-555.0100', '+14155550100'],
    ['0014155550100', ''],
    ['anonymous', ''],
    ['+1415x550100', ''],
    [';npdi', ''],
    ['+', ''],
    ['1234567890123456', ''],
    ['', ''],
  ])('of %j is %j', (text, number) => {
    expect(numberOf(text)).toBe(number);
  });
});
