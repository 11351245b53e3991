import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { TLSSocket } from 'node:tls';
import { serviceOfNames } from './identity/certificates';

/** The parts of a request from which an address is determined. */
export interface Arrived {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/**
 * The address from which a request came. Without proxies it is the peer's address. Behind `proxies` trusted proxies, each of which appends to X-Forwarded-For,
 * it is the address that the outermost proxy saw; the values to the left of it were sent by the client and are ignored. A peer with a certificate of this
 * installation passed no proxy: the console sends the address of its browser as the last value, and any other peer speaks for itself.
 */
export function clientAddress(request: Arrived, proxies: number): string {
  const peer = request.socket.remoteAddress ?? '';
  const service = serviceBehind(request.socket);
  const hops = service === undefined ? proxies : service === 'console' ? 1 : 0;
  if (hops === 0) return withoutMapping(peer);
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  return withoutMapping(forwarded.at(-hops)?.trim() || peer);
}

/** By connection, because reading a certificate costs more than the rest of this. */
const services = new WeakMap<TLSSocket, string | undefined>();

/** The service whose certificate a peer has presented; undefined without mutual TLS. */
function serviceBehind(socket: Arrived['socket']): string | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  if (!services.has(socket)) services.set(socket, serviceOfNames(socket.getPeerX509Certificate()?.subjectAltName));
  return services.get(socket);
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
