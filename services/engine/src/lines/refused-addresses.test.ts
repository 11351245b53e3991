import { RefusedAddresses } from './refused-addresses';

describe('blocking of addresses with refused tokens', () => {
  it.each([
    [0, 0],
    [1, 0],
    [2, 60],
    [3, 60],
  ])('with a limit of 2, an address with %d refused tokens is blocked for %d s', (refused, seconds) => {
    const addresses = new RefusedAddresses(2, () => 0);
    for (let n = 0; n < refused; n += 1) addresses.note('192.0.2.1');
    expect(addresses.blockedSeconds('192.0.2.1')).toBe(seconds);
    expect(addresses.blockedSeconds('192.0.2.2')).toBe(0);
  });

  it.each([
    [59_000, 1],
    [59_999, 1],
    [60_000, 0],
  ])('%d ms after the start of the minute, a blocked address has to wait %d s', (ms, seconds) => {
    let now = 0;
    const addresses = new RefusedAddresses(1, () => now);
    addresses.note('192.0.2.1');
    now = ms;
    expect(addresses.blockedSeconds('192.0.2.1')).toBe(seconds);
  });

  it('stores at most 10,000 addresses, and continues to count those', () => {
    const addresses = new RefusedAddresses(2, () => 0);
    for (let n = 0; n <= 10_000; n += 1) addresses.note(`address ${n}`);
    for (const n of [0, 9_999, 10_000]) addresses.note(`address ${n}`);
    expect([0, 9_999, 10_000].map((n) => addresses.blockedSeconds(`address ${n}`))).toEqual([60, 60, 0]);
  });
});
