import { addressGroup, clientAddress, type Arrived } from './client-address';

const from = (remoteAddress: string, forwarded?: string): Arrived => ({
  socket: { remoteAddress },
  headers: { 'x-forwarded-for': forwarded },
});

it.each([
  ['the peer', '192.0.2.1', undefined, 0, '192.0.2.1'],
  ['a header that no one trusts', '192.0.2.1', '198.51.100.1', 0, '192.0.2.1'],
  ['what the one proxy saw', '10.0.0.1', '203.0.113.9, 198.51.100.1', 1, '198.51.100.1'],
  ['what the outermost of two saw', '10.0.0.1', 'forged, 198.51.100.1, 10.0.0.2', 2, '198.51.100.1'],
  ['the peer where the proxy said nothing', '10.0.0.1', undefined, 1, '10.0.0.1'],
  ['the peer where fewer proxies spoke than are trusted', '10.0.0.1', '198.51.100.1', 2, '10.0.0.1'],
  ['IPv4 in IPv6', '::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
  ['the network of an IPv6 address', '2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2::/64'],
  ['the same network, written short', '2001:0db8:1:2::9', undefined, 0, '2001:db8:1:2::/64'],
  ['zeros in the network', '2001:db8::5', undefined, 0, '2001:db8:0:0::/64'],
])('%s', (_what, peer, forwarded, proxies, expected) => {
  expect(addressGroup(clientAddress(from(peer, forwarded), proxies))).toBe(expected);
});

it('is the whole IPv6 address before it is grouped', () => {
  expect(clientAddress(from('2001:db8:1:2:3:4:5:6'), 0)).toBe('2001:db8:1:2:3:4:5:6');
});
