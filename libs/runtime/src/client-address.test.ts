import { addressGroup, clientAddress, type Arrived } from './client-address';

const from = (remoteAddress: string, forwarded?: string): Arrived => ({
  socket: { remoteAddress },
  headers: { 'x-forwarded-for': forwarded },
});

it.each([
  ['the peer', '192.0.2.1', undefined, 0, '192.0.2.1'],
  ['the peer if no proxy is trusted', '192.0.2.1', '198.51.100.1', 0, '192.0.2.1'],
  ['the one reported by the only proxy', '10.0.0.1', '203.0.113.9, 198.51.100.1', 1, '198.51.100.1'],
  ['the one reported by the outermost of two proxies', '10.0.0.1', 'forged, 198.51.100.1, 10.0.0.2', 2, '198.51.100.1'],
  ['the peer if the proxy sends no header', '10.0.0.1', undefined, 1, '10.0.0.1'],
  ['the peer if the header has fewer entries than proxies', '10.0.0.1', '198.51.100.1', 2, '10.0.0.1'],
  ['the IPv4 address of an IPv4-mapped IPv6 address', '::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
  ['grouped by the /64 network of an IPv6 address', '2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2::/64'],
  ['grouped by the same network in short notation', '2001:0db8:1:2::9', undefined, 0, '2001:db8:1:2::/64'],
  ['grouped with zeros in the network', '2001:db8::5', undefined, 0, '2001:db8:0:0::/64'],
])('the client address is %s', (_what, peer, forwarded, proxies, expected) => {
  expect(addressGroup(clientAddress(from(peer, forwarded), proxies))).toBe(expected);
});

it('clientAddress returns the whole IPv6 address; addressGroup its network', () => {
  expect(clientAddress(from('2001:db8:1:2:3:4:5:6'), 0)).toBe('2001:db8:1:2:3:4:5:6');
});
