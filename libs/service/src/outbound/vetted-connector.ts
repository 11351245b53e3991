import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import ipaddr from 'ipaddr.js';
import { isLocalName, plainHost, type AddressPolicy } from '../addresses/address-policy.rules';

/** Resolves a host name to all its addresses; rejects if that fails. */
export type Resolve = (host: string) => Promise<string[]>;

export const refusedAddressCode = 'REFUSED_ADDRESS';

/** The connection was refused by this process, because the name resolves to an address that is not allowed. */
export class RefusedAddress extends Error {
  readonly code = refusedAddressCode;
  constructor(host: string) {
    super(`${host} resolves to an address that is not allowed`);
    this.name = 'RefusedAddress';
  }
}

/**
 * Resolves names by querying name servers over the network. The operating system's `lookup` is only used for local names (localhost, and those that the
 * operator allowed), because a few names that never resolve would occupy all of its threads.
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

/** The addresses of a host if all of them are allowed. @throws RefusedAddress if at least one is not */
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
  /** Timeout in milliseconds per address. */
  readonly timeoutMs: number;
  /** Certificate authorities in addition to the system's; PEM. */
  readonly ca?: string;
}

/**
 * Connects only to addresses that were checked. The name is resolved here, and every address is checked. The socket is opened to the checked address itself,
 * because a second look-up could return another one; Host and TLS still use the original name. Finally the peer's address is compared with the checked one. At
 * most two addresses are tried.
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
