import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import ipaddr from 'ipaddr.js';
import { isLocalName, plainHost, type AddressPolicy } from '../addresses/address-policy.rules';

/** Resolves all addresses of a host name, or rejects. */
export type Resolve = (host: string) => Promise<string[]>;

export const refusedAddressCode = 'REFUSED_ADDRESS';

/** The connection was refused here: the name resolves to an address that is not allowed for endpoints. */
export class RefusedAddress extends Error {
  readonly code = refusedAddressCode;
  constructor(host: string) {
    super(`${host} lies at an address that is not allowed`);
    this.name = 'RefusedAddress';
  }
}

/**
 * Asks the name servers over the network. `lookup` of the operating system is kept for names of the machine's own world
 * (localhost, those the operator allowed): its few threads would be taken by the first few names that never resolve.
 */
export function createResolver(policy: AddressPolicy): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (host) => {
    if (isLocalName(host) || policy.allowsHost(host)) {
      return (await lookup(host, { all: true })).map(({ address }) => address);
    }
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length === 0 && found[0].status === 'rejected') throw found[0].reason;
    return addresses;
  };
}

/** The addresses of a host, all of them allowed. RefusedAddress if at least one is not. */
export async function vettedAddresses(hostname: string, policy: AddressPolicy, resolve: Resolve): Promise<string[]> {
  const host = plainHost(hostname);
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  if (addresses.length === 0) throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
  if (!addresses.every((address) => policy.allows(address, host))) throw new RefusedAddress(host);
  return addresses;
}

const same = (one: string, other: string): boolean =>
  ipaddr.isValid(one) && ipaddr.isValid(other) && ipaddr.process(one).toString() === ipaddr.process(other).toString();

export interface ConnectorOptions {
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  /** Milliseconds for one address. */
  readonly timeoutMs: number;
  /** Certificate authorities in addition to the system's; PEM. */
  readonly ca?: string;
}

/**
 * Connects to a vetted address and to nothing else: the name is resolved here, every address is judged, the socket is
 * opened to the judged address itself (no second look-up that could answer differently), the original name stays in
 * Host and TLS, and the peer's address is compared once more. At most two addresses are tried.
 */
export function vettedConnector(options: ConnectorOptions): buildConnector.connector {
  const { policy, resolve, timeoutMs, ca } = options;
  const connect = buildConnector({ allowH2: false, timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) });

  const open = (target: buildConnector.Options, address: string): Promise<Socket> =>
    new Promise((done, fail) => {
      const secure = target.protocol === 'https:';
      const servername = secure && isIP(plainHost(target.hostname)) === 0 ? plainHost(target.hostname) : undefined;
      connect({ ...target, hostname: address, servername }, (error, socket) => {
        if (error !== null) fail(error);
        else if (same(socket.remoteAddress ?? '', address)) done(socket);
        else {
          socket.destroy();
          fail(new RefusedAddress(target.hostname));
        }
      });
    });

  const connectAny = async (target: buildConnector.Options): Promise<Socket> => {
    const [first = '', second] = await vettedAddresses(target.hostname, policy, resolve);
    try {
      return await open(target, first);
    } catch (error) {
      if (second === undefined) throw error;
      return open(target, second);
    }
  };

  return (target, callback) => {
    connectAny(target).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}
