import type { SipCodec, SipTransport } from '@parley/contract';

/** A SIP peer, with the address that its calls are sent to. */
export interface PjsipPeer {
  readonly sipTrunkId: string;
  readonly host: string;
  readonly port: number;
  readonly transport: SipTransport;
  readonly codecs: readonly SipCodec[];
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
  /** Resolved from the host name and checked against the address policy. */
  readonly address: string;
}

/** A PJSIP object in the form of Asterisk's REST interface. */
export interface PjsipObject {
  readonly type: 'auth' | 'endpoint' | 'identify';
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
}

const namesOfCodecs: Readonly<Record<SipCodec, string>> = { pcmu: 'ulaw', pcma: 'alaw', g722: 'g722' };

/**
 * The objects by which a trunk's calls are placed. Packets go to the vetted address, whatever the name resolves to later; requests name the host. What is common to
 * all trunks is in the installation's pjsip.conf. Pure.
 */
export function objectsOf(peer: PjsipPeer): PjsipObject[] {
  const { sipTrunkId, port, transport, codecs, credentials, address } = peer;
  const proxy = `sip:${address}:${port};transport=${transport};lr;hide`;
  const endpoint: PjsipObject = {
    type: 'endpoint',
    id: sipTrunkId,
    fields: {
      transport: `parley-${transport}`,
      context: 'parley-refused',
      disallow: 'all',
      allow: codecs.map((codec) => namesOfCodecs[codec]).join(','),
      outbound_proxy: proxy,
      direct_media: 'no',
      rtp_symmetric: 'yes',
      dtmf_mode: 'auto',
      rtp_timeout: '60',
      rtp_timeout_hold: '600',
      ...(credentials !== undefined && { outbound_auth: sipTrunkId }),
    },
  };
  if (credentials === undefined) return [endpoint];
  const { username, password } = credentials;
  return [{ type: 'auth', id: sipTrunkId, fields: { auth_type: 'userpass', username, password } }, endpoint];
}

/** Accepts requests from an address as calls that the platform routes. Pure. */
export const identifyOf = (address: string): PjsipObject => ({
  type: 'identify',
  id: `peer-${address.replaceAll('.', '-')}`,
  fields: { endpoint: 'parley-in', match: address },
});

/** The dial string for a number, or for a SIP address behind the peer: the request is sent to the peer in both cases. Pure. */
export const dialStringOf = (
  { sipTrunkId, host, port, transport }: Pick<PjsipPeer, 'sipTrunkId' | 'host' | 'port' | 'transport'>,
  to: string,
): string => {
  const suffix = transport === 'udp' ? '' : `;transport=${transport}`;
  return `PJSIP/${sipTrunkId}/${to.startsWith('sip:') ? to : `sip:${to}@${host}:${port}`}${suffix}`;
};
