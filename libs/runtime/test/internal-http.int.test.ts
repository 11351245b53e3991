import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { testIdentityFiles } from '@parley/testing';
import { createAuthority, issueCertificate } from '@parley/testing/certificates';
import { clientAddress, identityHost, ServiceIdentity, startHttpServer, type RunningHttpServer } from '../src';

/** With a trusted proxy, which is in front of the other port only. */
const served = (request: IncomingMessage): string =>
  request.url === '/address' ? clientAddress(request, 1) : 'served';

const identity = ServiceIdentity.read(testIdentityFiles('gateway'));
let server: RunningHttpServer;

beforeAll(async () => {
  server = await startHttpServer(
    { handler: (request, response) => response.end(served(request)) },
    '127.0.0.1',
    0,
    identity,
  );
});

afterAll(async () => {
  const drained = server.drain();
  server.close();
  await drained;
});

async function get(options: RequestOptions): Promise<string> {
  const sent = request({ host: '127.0.0.1', port: server.port, agent: false, ...options }).end();
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer>];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  return Buffer.concat(parts).toString();
}

const servername = identityHost('gateway');

describe('the internal HTTP port', () => {
  it('serves a peer with a certificate of the CA', async () => {
    const options = ServiceIdentity.read(testIdentityFiles('engine')).tlsOptions();
    expect(await get({ ...options, servername })).toBe('served');
  });

  it.each([
    ['console', '198.51.100.1'],
    ['engine', '127.0.0.1'],
  ] as const)('believes the address that the %s names: %s', async (service, address) => {
    const options = ServiceIdentity.read(testIdentityFiles(service)).tlsOptions();
    const headers = { 'x-forwarded-for': 'forged, 198.51.100.1' };
    expect(await get({ ...options, servername, path: '/address', headers })).toBe(address);
  });

  it('rejects a peer without a certificate, with one of another CA, and plain HTTP', async () => {
    const { ca } = identity.tlsOptions();
    await expect(get({ ca, servername })).rejects.toThrow();
    const { certificate: cert, key } = await issueCertificate(await createAuthority(), { service: 'engine' });
    await expect(get({ ca, cert, key, servername })).rejects.toThrow();
    await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
  });

  it('presents the certificate of its service, and a client that expects another name disconnects', async () => {
    const options = ServiceIdentity.read(testIdentityFiles('engine')).tlsOptions();
    await expect(get({ ...options, servername: 'somebody.parley.internal' })).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });
});
