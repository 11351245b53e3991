import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { privateNats, type PrivateNats } from '@parley/testing';
import { createAuthority, issueCertificate, type Authority, type Certificate } from '@parley/testing/certificates';

const log = `{ info() {}, debug() {}, error() {}, warn: ({ err }) => done(err.message) }`;

/** For each kind of server a program that connects, and prints `connected` or the first error. */
const programs = {
  nats: `createNats({ url, name: 'test', log: ${log} }).connection().then(() => done('connected'), (error) => done(error.message));`,
  redis: `const redis = createRedis({ url, name: 'test', log: ${log}, patienceMs: 1_000 });
    setInterval(() => redis.run((client) => client.ping(), '').then((answer) => { if (answer === 'PONG') done('connected'); }), 20);`,
} as const;

/** Runs in a separate process, because Node reads NODE_EXTRA_CA_CERTS only at startup. */
async function connectTo(kind: keyof typeof programs, url: string, bundle = ''): Promise<string> {
  const program = `
    const { createNats, createRedis } = require(${JSON.stringify(path.resolve(__dirname, '../dist'))});
    const url = ${JSON.stringify(url)};
    const done = (result) => { console.log(result); process.exit(0); };
    ${programs[kind]}`;
  const child = spawn(process.execPath, ['-e', program], { env: { ...process.env, NODE_EXTRA_CA_CERTS: bundle } });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await once(child, 'close');
  return printed.trim();
}

/** Accepts connections without TLS, greets each, and keeps what clients send. */
async function plainServer(greeting: string): Promise<{ server: Server; port: number; received: () => string }> {
  let received = '';
  const server = createServer((socket) => {
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    if (greeting !== '') socket.write(greeting);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, received: () => received };
}

describe('TLS to NATS and Redis with their own CA', () => {
  let folder: string;
  let ours: string;
  let foreign: string;
  let authority: Authority;
  let certificate: Certificate;
  let nats: PrivateNats;
  let redis: Server;

  beforeAll(async () => {
    authority = await createAuthority('servers');
    certificate = await issueCertificate(authority, { hosts: ['localhost'] });
    folder = mkdtempSync(path.join(tmpdir(), 'parley-ca-'));
    [ours, foreign] = ['ours.crt', 'foreign.crt'].map((name) => path.join(folder, name)) as [string, string];
    writeFileSync(ours, authority.certificate);
    writeFileSync(foreign, (await createAuthority('others')).certificate);
    nats = await privateNats({ tls: certificate });
    // Redis itself speaks plain text here; TLS ends in front of it.
    const target = new URL(process.env['TEST_REDIS_URL'] ?? '');
    redis = createTlsServer({ cert: certificate.certificate, key: certificate.key }, (socket) => {
      const behind = connect(Number(target.port), target.hostname);
      for (const end of [socket, behind]) end.on('error', () => undefined);
      socket.pipe(behind).pipe(socket);
    }).listen(0, '127.0.0.1');
    redis.on('tlsClientError', () => undefined);
    await once(redis, 'listening');
  });
  afterAll(async () => {
    await nats.close();
    redis.close();
    rmSync(folder, { recursive: true });
  });

  const urlOf = {
    nats: () => nats.url.replace('nats://127.0.0.1', 'tls://localhost'),
    redis: () => {
      const { username, password } = new URL(process.env['TEST_REDIS_URL'] ?? '');
      return `rediss://${username}:${password}@localhost:${(redis.address() as AddressInfo).port}`;
    },
  };

  it.each(['nats', 'redis'] as const)('%s: the certificate is checked against the CA bundle', async (kind) => {
    expect(await connectTo(kind, urlOf[kind](), ours)).toBe('connected');
    expect(await connectTo(kind, urlOf[kind]())).not.toBe('connected');
    expect(await connectTo(kind, urlOf[kind](), foreign)).not.toBe('connected');
  });

  it('redis: the host name is checked; nats: an IP address is refused, because it could not be checked', async () => {
    expect(await connectTo('redis', urlOf.redis().replace('localhost', '127.0.0.1'), ours)).not.toBe('connected');
    expect(await connectTo('nats', urlOf.nats().replace('localhost', '127.0.0.1'), ours)).not.toBe('connected');
  });

  it('nats: the name of another host in the certificate is refused', async () => {
    const other = await issueCertificate(authority, { hosts: ['nats.example'] });
    const misnamed = await privateNats({ tls: other });
    try {
      expect(await connectTo('nats', misnamed.url.replace('nats://127.0.0.1', 'tls://localhost'), ours)).not.toBe(
        'connected',
      );
    } finally {
      await misnamed.close();
    }
  });

  it('nats: a tls:// URL sends no password to a server without TLS', async () => {
    const info = 'INFO {"server_id":"x","version":"2.9.10","proto":1,"max_payload":1048576,"auth_required":true}\r\n';
    const { server, port, received } = await plainServer(info);
    try {
      const result = await connectTo('nats', `tls://telephony:planted-password@localhost:${port}`, ours);
      expect(result).not.toBe('connected');
      expect(received()).toBe('');
    } finally {
      server.close();
    }
  });
});
