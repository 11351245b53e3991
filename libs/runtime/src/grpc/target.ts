import { isIPv4 } from 'node:net';

/**
 * The gRPC target for an address. A single `host:port` is resolved by name. A list of IPv4 addresses separated by commas (localhost counts as one) becomes one
 * target with several addresses. `dns:///name:port` and other schemes are used unchanged.
 * @throws Error for a list that contains a name; for a name with several replicas use dns:///
 */
export function targetOf(address: string): string {
  const parts = address.split(',').map((part) => part.trim());
  if (parts.length === 1) return parts[0] ?? '';
  const addresses = parts.map((part) => {
    const [host = '', port = ''] = part.split(':');
    const ip = host === 'localhost' ? '127.0.0.1' : host;
    if (!isIPv4(ip) || !/^\d+$/.test(port)) throw new Error(`not an IPv4 address with a port: ${part}`);
    return `${ip}:${port}`;
  });
  return `ipv4:${addresses.join(',')}`;
}
