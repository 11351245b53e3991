import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** The parts of a request from which an address is determined. */
export interface Arrived {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/**
 * The address that a request came from: the peer's, or, behind `proxies` trusted proxies that each append to X-Forwarded-For, the
 * one that the outermost of them saw. What stands further left was written by the client.
 */
export function clientAddress(request: Arrived, proxies: number): string {
  const peer = request.socket.remoteAddress ?? '';
  if (proxies === 0) return withoutMapping(peer);
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  return withoutMapping(forwarded.at(-proxies)?.trim() || peer);
}

const withoutMapping = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

/** The key under which an address is counted. An IPv6 address is truncated to its /64, since one household has a whole /64. */
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
