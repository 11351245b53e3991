import { isIP } from 'node:net';

interface Servers {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
}

/**
 * TLS is required if one of the servers has the scheme `tls://`: the client ignores schemes, and would send the password to a server without TLS. The
 * certificate is checked against the public CAs and those of NODE_EXTRA_CA_CERTS.
 * @throws if a `tls://` server is an IP address, because the client checks a certificate only against a host name
 */
export function natsTls(servers: readonly string[]): { tls?: Record<string, never> } {
  const secured = servers.filter((server) => server.startsWith('tls://'));
  for (const server of secured) {
    if (isIP(new URL(server).hostname.replace(/^\[|\]$/g, '')) !== 0) {
      throw new Error('a tls:// server in NATS_URL must be a host name, not an IP address');
    }
  }
  return secured.length === 0 ? {} : { tls: {} };
}

/** Separates the user from the addresses, because the client includes addresses in its errors. */
export function natsServers(url: string): Servers {
  const parts = url.split(',').map((one) => /^([a-z]+:\/\/)?(?:([^@/]*)@)?(.*)$/.exec(one.trim()));
  const servers = parts.map((part) => `${part?.[1] ?? ''}${part?.[3] ?? ''}`);
  const login = parts.map((part) => part?.[2]).find((one) => one !== undefined);
  if (login === undefined) return { servers };
  const [user = '', ...pass] = login.split(':');
  return { servers, user: decodeURIComponent(user), pass: decodeURIComponent(pass.join(':')) };
}

/** @throws if `url`, the value of NATS_URL, cannot be used; the message does not contain the password */
export function checkNatsUrl(url: string): void {
  const { servers } = natsServers(url);
  for (const server of servers) {
    if (server.includes('://') && !/^(nats|tls):\/\//.test(server)) {
      throw new Error('a server in NATS_URL must begin with nats:// or tls://');
    }
  }
  natsTls(servers);
}
