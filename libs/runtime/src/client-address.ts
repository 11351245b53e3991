import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** The parts of a request from which an address is determined. */
export interface Arrived {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/**
 * The address from which a request came. Without proxies it is the peer's address. Behind `proxies` trusted proxies, each of which appends to X-Forwarded-For,
 * it is the address that the outermost proxy saw; the values to the left of it were sent by the client and are ignored.
 */
export function clientAddress(request: Arrived, proxies: number): string {
  const peer = request.socket.remoteAddress ?? '';
  if (proxies === 0) return withoutMapping(peer);
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  return withoutMapping(forwarded.at(-proxies)?.trim() || peer);
}

const withoutMapping = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

/** The key under which an address is counted. IPv6 addresses are truncated to their /64, because a single household usually has a whole /64. */
export function addressGroup(address: string): string {
  if (!isIPv6(address)) return address.slice(0, 64);
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
