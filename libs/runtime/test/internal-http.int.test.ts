import { once } from 'node:events';
import { request, type RequestOptions } from 'node:https';
import { testIdentityFiles } from '@parley/testing';
import { createAuthority, issueCertificate } from '@parley/testing/certificates';
import { identityHost, ServiceIdentity, startHttpServer, type RunningHttpServer } from '../src';

const identity = ServiceIdentity.read(testIdentityFiles('gateway'));
let server: RunningHttpServer;

beforeAll(async () => {
  server = await startHttpServer({ handler: (_request, response) => response.end('served') }, '127.0.0.1', 0, identity);
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
