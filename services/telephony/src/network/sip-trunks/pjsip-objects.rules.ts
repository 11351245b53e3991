import type { SipCodec, SipTransport } from '@parley/contract';

/** A SIP peer with the IP address to which its calls are sent. */
export interface PjsipPeer {
  readonly sipTrunkId: string;
  readonly host: string;
  readonly port: number;
  readonly transport: SipTransport;
  readonly codecs: readonly SipCodec[];
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
  /** The IP address to which the host name was resolved; checked against the address policy. */
  readonly address: string;
}

/** A PJSIP object as Asterisk's REST interface expects it. */
export interface PjsipObject {
  readonly type: 'auth' | 'endpoint' | 'identify';
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
}

const namesOfCodecs: Readonly<Record<SipCodec, string>> = { pcmu: 'ulaw', pcma: 'alaw', g722: 'g722' };

/**
 * The PJSIP objects needed to place a trunk's calls. Packets go to the checked IP address even if the name resolves differently later; SIP requests contain the
 * host name. Settings shared by all trunks are in the installation's pjsip.conf. Pure.
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

/** The object that makes Asterisk accept requests from an address as incoming calls for the platform. Pure. */
export const identifyOf = (address: string): PjsipObject => ({
  type: 'identify',
  id: `peer-${address.replaceAll('.', '-')}`,
  fields: { endpoint: 'parley-in', match: address },
});

/** The dial string for a number, or for a SIP address behind the peer. In both cases the request is sent to the peer. Pure. */
export const dialStringOf = (
  { sipTrunkId, host, port, transport }: Pick<PjsipPeer, 'sipTrunkId' | 'host' | 'port' | 'transport'>,
  to: string,
): string => {
  const suffix = transport === 'udp' ? '' : `;transport=${transport}`;
  return `PJSIP/${sipTrunkId}/${to.startsWith('sip:') ? to : `sip:${to}@${host}:${port}`}${suffix}`;
};
