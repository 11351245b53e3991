import { isIPv4 } from 'node:net';

/**
 * The gRPC target of an address of ours: one `host:port` is resolved by name, a comma list of IPv4 addresses
 * (localhost counts) is one target with several addresses, `dns:///name:port` and other schemes pass through.
 * @throws Error for a list with a name in it: a name that stands for several replicas wants dns:///
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
