import { addressesIn, isCidr, liesWithin } from './cidr';

it.each([
  ['192.0.2.0/24', true],
  ['192.0.2.1/32', true],
  ['0.0.0.0/0', true],
  ['2001:db8::/32', true],
  ['::/0', true],
  ['2001:db8::1/128', true],
  ['192.0.2.0/33', false],
  ['2001:db8::/129', false],
  ['192.0.2.0', false],
  ['192.0.2.0/', false],
  ['192.0.2.0/08', false],
  ['192.0.2.0/-1', false],
  ['192.0.2/24', false],
  ['127.1/8', false],
  ['fe80::1%eth0/64', false],
  ['example.com/24', false],
  ['', false],
])('%p is a CIDR block: %p', (text, is) => expect(isCidr(text)).toBe(is));

it.each([
  ['192.0.2.7', true],
  ['192.0.3.7', false],
  ['2001:db8::7', true],
  ['2001:db9::7', false],
  ['', false],
  ['unknown', false],
])('address %p is within 192.0.2.0/24 or 2001:db8::/32: %p', (address, is) =>
  expect(addressesIn(['192.0.2.0/24', '2001:db8::/32'])(address)).toBe(is),
);

it.each([
  ['192.0.2.0/24', true],
  ['192.0.2.128/25', true],
  ['192.0.0.0/16', false],
  ['192.0.3.0/24', false],
  ['2001:db8:1::/48', true],
  ['::/0', false],
])('block %p is within 192.0.2.0/24 or 2001:db8::/32: %p', (cidr, is) =>
  expect(liesWithin(cidr, ['192.0.2.0/24', '2001:db8::/32'])).toBe(is),
);
