import { X509Certificate } from 'node:crypto';

/** The URI in a service's certificate that identifies the service. */
export const identityUri = (service: string): string => `spiffe://parley/${service}`;

/** The DNS name in a service's certificate, which clients verify regardless of the address to which they connect. */
export const identityHost = (service: string): string => `${service}.parley.internal`;

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates in a PEM text, in order. @throws Error for a certificate that cannot be parsed */
export function certificatesOf(pem: string): X509Certificate[] {
  return (pem.match(PEM) ?? []).map((text) => new X509Certificate(text));
}

/**
 * The service to which a certificate belongs.
 * @param names its subject alternative names, in Node's format
 * @returns undefined if it has no identity: no URI, several URIs, or one of another kind
 */
export function serviceOfNames(names: string | undefined): string | undefined {
  const uris = urisOf(names ?? '');
  const prefix = identityUri('');
  const [uri = ''] = uris;
  return uris.length === 1 && uri.startsWith(prefix) ? uri.slice(prefix.length) : undefined;
}

/** The URIs among the names. Node quotes a name that contains a comma, so that a single name cannot be mistaken for several. */
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

/** Maximum of certificates between the leaf and an authority. */
const LONGEST_CHAIN = 4;

/**
 * Whether a certificate chain leads to an authority: each certificate must be valid at this time and signed by the next.
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
