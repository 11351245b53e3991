import { X509Certificate } from 'node:crypto';

/** The URI in the certificate of a service: its identity. */
export const identityUri = (service: string): string => `spiffe://parley/${service}`;

/** The DNS name in the certificate of a service, which its clients verify whatever address they connect to. */
export const identityHost = (service: string): string => `${service}.parley.internal`;

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a PEM text, in order. @throws Error for one that cannot be parsed */
export function certificatesOf(pem: string): X509Certificate[] {
  return (pem.match(PEM) ?? []).map((text) => new X509Certificate(text));
}

/**
 * The service that a certificate belongs to.
 * @param names its subject alternative names, as Node writes them
 * @returns undefined where it has no identity: no URI, several, or one of another kind
 */
export function serviceOfNames(names: string | undefined): string | undefined {
  const uris = urisOf(names ?? '');
  const prefix = identityUri('');
  const [uri = ''] = uris;
  return uris.length === 1 && uri.startsWith(prefix) ? uri.slice(prefix.length) : undefined;
}

/** Node quotes a name that contains a comma, so that one name cannot be taken for several. */
function urisOf(names: string): string[] {
  const entry = /(?:^|, )([^:,"]+):("(?:[^"\\]|\\.)*"|[^,"]*)/y;
  const uris: string[] = [];
  while (entry.lastIndex < names.length) {
    const found = entry.exec(names);
    if (found === null) return [];
    if (found[1] === 'URI') uris.push(found[2] ?? '');
  }
  return uris;
}

/** Maximum number of certificates between the leaf and an authority. */
const LONGEST_CHAIN = 4;

/**
 * Whether a certificate leads to an authority at this time: each certificate on the way is in force and signed by the next.
 * @param chain the certificate first, then its intermediates in any order
 */
export function leadsTo(
  chain: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  atMs: number,
): boolean {
  const [first, ...intermediates] = chain;
  let current = first;
  for (let step = 0; current !== undefined && step < LONGEST_CHAIN; step += 1) {
    const issued: X509Certificate = current;
    if (!isInForce(issued, atMs)) return false;
    const isIssuer = (one: X509Certificate): boolean =>
      one.ca && issued.checkIssued(one) && issued.verify(one.publicKey);
    if (authorities.some((one) => isInForce(one, atMs) && isIssuer(one))) return true;
    current = intermediates.find(isIssuer);
  }
  return false;
}

const isInForce = ({ validFromDate, validToDate }: X509Certificate, atMs: number): boolean =>
  validFromDate.getTime() <= atMs && atMs <= validToDate.getTime();
