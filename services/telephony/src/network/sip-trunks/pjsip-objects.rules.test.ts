import { dialStringOf, identifyOf, objectsOf } from './pjsip-objects.rules';

const peer = {
  sipTrunkId: 'trk_1',
  host: 'sip.example.com',
  port: 5_070,
  transport: 'udp',
  codecs: ['g722', 'pcmu', 'pcma'],
  credentials: undefined,
  address: '192.0.2.7',
} as const;

describe('the PJSIP objects of a SIP trunk in Asterisk', () => {
  it('the endpoint uses the validated IP address as proxy, and the codecs in order', () => {
    const [endpoint, ...others] = objectsOf(peer);
    expect(others).toEqual([]);
    expect(endpoint).toMatchObject({
      type: 'endpoint',
      id: 'trk_1',
      fields: { outbound_proxy: 'sip:192.0.2.7:5070;transport=udp;lr;hide', allow: 'g722,ulaw,alaw', disallow: 'all' },
    });
    expect(endpoint?.fields).not.toHaveProperty('outbound_auth');
  });

  it('the auth object precedes the endpoint that refers to it', () => {
    const objects = objectsOf({ ...peer, credentials: { username: 'ann', password: 'secret' } });
    expect(objects.map(({ type }) => type)).toEqual(['auth', 'endpoint']);
    expect(objects[0]?.fields).toMatchObject({ username: 'ann', password: 'secret' });
    expect(objects[1]?.fields).toMatchObject({ outbound_auth: 'trk_1' });
  });

  it.each([
    ['udp', 'PJSIP/trk_1/sip:+15550100@sip.example.com:5070'],
    ['tcp', 'PJSIP/trk_1/sip:+15550100@sip.example.com:5070;transport=tcp'],
  ] as const)('the dial string over %s contains the host name', (transport, expected) => {
    expect(dialStringOf({ ...peer, transport }, '+15550100')).toBe(expected);
  });

  it('an identify object accepts calls from an IP address', () => {
    expect(identifyOf('192.0.2.7')).toEqual({
      type: 'identify',
      id: 'peer-192-0-2-7',
      fields: { endpoint: 'parley-in', match: '192.0.2.7' },
    });
  });
});
