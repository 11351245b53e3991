import net from 'node:net';
import { carrierRoutes } from '@parley/contract';
import { GatewayConfig } from '../src/config';
import { TestGateway } from './test-gateway';

const [path = ''] = Object.values(carrierRoutes).flatMap(({ path: at, providers }) =>
  providers.map((provider) => at.replace('{provider}', provider)),
);
const signature = `${'s'.repeat(27)}=`;
const type = 'application/x-www-form-urlencoded';
const publicUrl = 'https://voice.example';

describe('limits of carrier webhooks', () => {
  const gateways: TestGateway[] = [];
  const started = async (settings: Parameters<typeof TestGateway.start>[0]) => {
    const gateway = await TestGateway.start({ publicUrl, ...settings });
    gateways.push(gateway);
    gateway.services.overrides = { telephony: { receiveCarrierCall: async () => ({ body: '<Response/>' }) } };
    return gateway;
  };
  afterEach(async () => {
    for (const gateway of gateways.splice(0)) await gateway.stop();
  });

  const post = (gateway: TestGateway, headers: Record<string, string> = {}) =>
    gateway.request('POST', path, {
      headers: { 'content-type': type, 'x-twilio-signature': signature, ...headers },
      body: 'a=1',
    });
  const asked = ({ services }: TestGateway) => services.callsOf('receiveCarrierCall').length;

  it('accepts the configured number of requests per address and minute, then answers 429 with Retry-After without calling telephony', async () => {
    const most = 20;
    const gateway = await started({ carrierRequestsPerMinute: most });
    const answers = await Promise.all(Array.from({ length: most + 10 }, () => post(gateway)));
    const statuses = answers.map(({ status }) => status);
    // If a minute ends during the test, a new count begins.
    const refused = answers.filter(({ status }) => status === 429);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(refused.length).toBeLessThanOrEqual(10);
    expect(asked(gateway)).toBe(most + 10 - refused.length);
    expect(refused[0]?.body).toMatchObject({
      error: 'rate_limited',
      retry_after_seconds: expect.any(Number) as number,
    });
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('counts requests with a malformed signature too, and answers 401 and then 429 without calling telephony', async () => {
    const gateway = await started({ carrierRequestsPerMinute: 3 });
    const statuses = [];
    for (let n = 0; n < 8; n += 1) statuses.push((await post(gateway, { 'x-twilio-signature': 'none' })).status);
    expect(statuses).toContain(429);
    expect(statuses.slice(0, 3)).toEqual([401, 401, 401]);
    expect(asked(gateway)).toBe(0);
  });

  it('counts by the client address that the trusted proxy appended to X-Forwarded-For, not by those that the client sent', async () => {
    const gateway = await started({ carrierRequestsPerMinute: 5, trustedProxies: 1 });
    const from = async (address: string) => (await post(gateway, { 'x-forwarded-for': address })).status;
    for (let n = 0; n < 12; n += 1) await from(`203.0.113.${n}, 198.51.100.1`);
    expect(await from('203.0.113.99, 198.51.100.1')).toBe(429);
    expect(await from('198.51.100.2')).toBe(200);
  });

  it('the defaults are 600 requests per minute and 10 seconds to receive a body', () => {
    expect(new GatewayConfig()).toMatchObject({ carrierRequestsPerMinute: 600, carrierBodySeconds: 10 });
  });

  it('answers 400 and closes the connection if the form does not arrive in time', async () => {
    const gateway = await started({ carrierBodySeconds: 1 });
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nX-Twilio-Signature: ${signature}\r\nContent-Length: 1000\r\n\r\n`;
    const answer = await trickled(gateway, head);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*connection: close\r\n[^]*BadRequestError/i);
    expect(asked(gateway)).toBe(0);
  });

  it('answers 503 webhook_retry_requested without PUBLIC_URL, because the Host header cannot be trusted', async () => {
    const gateway = await started({ publicUrl: undefined });
    const answer = await post(gateway);
    expect([answer.status, answer.body.error]).toEqual([503, 'webhook_retry_requested']);
    expect(asked(gateway)).toBe(0);
  });

  it('has the signature verified against PUBLIC_URL, and ignores Host and X-Forwarded-*', async () => {
    const gateway = await started({ trustedProxies: 1 });
    await post(gateway, { host: 'evil.example', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' });
    expect(gateway.services.callsOf('receiveCarrierCall').at(-1)?.request).toMatchObject({ url: publicUrl + path });
  });
});

/** Sends a byte of the body every 50 ms until the connection ends; returns everything received. */
function trickled(gateway: TestGateway, head: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = net.connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.write(head));
    const timer = setInterval(() => socket.write('a'), 50);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (answer += chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(answer);
    });
  });
}
