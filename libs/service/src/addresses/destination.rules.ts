import { isIP } from 'node:net';
import { badRequest } from '@parley/errors';
import { isLocalName, plainHost, type AddressPolicy } from './address-policy.rules';

export type DestinationField = 'webhook_url' | 'audio_stream_url';

export type AddressKind = 'http' | 'websocket';

const schemes: Record<AddressKind, { secure: string; plain: string }> = {
  http: { secure: 'https:', plain: 'http:' },
  websocket: { secure: 'wss:', plain: 'ws:' },
};

const longest = 2048;

function addressErrorFor(text: string, kind: AddressKind, policy: AddressPolicy): string | undefined {
  const { secure, plain } = schemes[kind];
  const wanted = `must be an absolute ${secure}// address`;
  if (text.length > longest) return `must have at most ${longest} characters`;
  // Only printable ASCII is accepted, because the URL parser would drop tabs and line ends, convert backslashes and translate other scripts: the stored address
  // must be exactly the one to which connections are made. A name in another script must be written in its xn-- form.
  if (!/^[\x21-\x7e]+$/.test(text) || /[\\"<>^`{|}]/.test(text)) return `${wanted} in plain ASCII`;
  if (!/^[a-z]+:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return wanted;
  const url = new URL(text);
  if (url.protocol !== secure && !(policy.development && url.protocol === plain)) return wanted;
  if (url.username !== '' || url.password !== '' || /^[^/]+:\/\/[^/?#]*@/.test(text))
    return 'must not contain credentials';
  if (text.includes('#')) return 'must not contain a fragment';
  if (url.port === '0') return 'must not use port 0';
  return hostError(url.hostname, policy);
}

function hostError(hostname: string, policy: AddressPolicy): string | undefined {
  const host = plainHost(hostname);
  if (host === '' || host.split('.').some((label) => label === '' || label.length > 63)) return 'must name a host';
  if (policy.allowsHost(host)) return undefined;
  if (isIP(host) !== 0) return policy.allows(host, host) ? undefined : 'must not be a private or reserved address';
  if (isLocalName(host) && !policy.development) return 'must not be a loopback host';
  return undefined;
}

/**
 * Checks an address before anyone connects to it (docs/reference/endpoints-and-events.md): syntax, scheme, credentials, and literal IP addresses in any
 * notation (127.1, 0x7f000001, [::ffff:127.0.0.1]), which the URL parser normalizes. The addresses to which a name resolves are checked at each connection.
 * @throws BadRequestError naming the field
 */
export function checkAddress(text: string, kind: AddressKind, field: string, policy: AddressPolicy): void {
  const failure = addressErrorFor(text, kind, policy);
  if (failure !== undefined) throw badRequest(`${field} ${failure}`);
}

/** `checkAddress` for an address of an endpoint; the field determines its kind. */
export const checkDestination = (text: string, field: DestinationField, policy: AddressPolicy): void =>
  checkAddress(text, field === 'webhook_url' ? 'http' : 'websocket', field, policy);
