import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { credentials, type ChannelCredentials } from '@grpc/grpc-js';
import type { AppError } from '@parley/errors';
import { AgentsServiceService } from '@parley/proto/agents';
import { AuthServiceService, type AuthServiceServer } from '@parley/proto/auth';
import { KnowledgeServiceService } from '@parley/proto/knowledge';
import { PublicServiceService } from '@parley/proto/public';
import { TelephonyServiceService } from '@parley/proto/telephony';
import { VoiceStackServiceService } from '@parley/proto/voice_stack';
import { WebhooksServiceService } from '@parley/proto/webhooks';
import { testIdentityFiles } from '@parley/testing';
import { createAuthority, issueCertificate, type CertificateOptions } from '@parley/testing/certificates';
import {
  accessOf,
  createLogger,
  grpcClient,
  grpcService,
  identityHost,
  methodsNamed,
  publicGrpcService,
  ServiceIdentity,
  serviceCaller,
  serviceNames,
  signCaller,
  startGrpcServer,
  type Caller,
  type CallContext,
  type GrpcService,
  type UnaryDefinition,
  type UnaryHandlers,
} from '../src';
import { RawPeer, type Refusal } from './raw-peer';
import { identity } from './servers-under-test';

type AnyDefinition = Readonly<Record<string, { readonly path: string }>>;

/** Every gRPC service of the contract. The tests below include new methods automatically. */
const definitions: readonly AnyDefinition[] = [
  AgentsServiceService,
  AuthServiceService,
  PublicServiceService,
  TelephonyServiceService,
  VoiceStackServiceService,
  KnowledgeServiceService,
  WebhooksServiceService,
];

const methods = definitions.flatMap((definition) => Object.values(definition));
const paths = methods.map(({ path: one }) => one);

const caller: Caller = { keyId: 'key_1', organizationId: 'org_1', kind: 'customer', scopes: ['agents:read'] };
const log = createLogger({ service: 'test', level: 'silent' });
const as = (service: string): ServiceIdentity => ServiceIdentity.read(testIdentityFiles(service));

/** The contexts of calls that reached a handler. */
let served: CallContext[] = [];

/** Starts a server that implements every method with an empty response. */
async function serveEverything(options: { readonly as?: ServiceIdentity } = {}): Promise<number> {
  const answer = (_request: unknown, context: CallContext): Promise<object> => {
    served.push({ ...context });
    return Promise.resolve({});
  };
  const services: GrpcService[] = definitions.map((definition) => {
    if (definition === PublicServiceService) {
      return publicGrpcService((_request, context) => {
        served.push({ ...context });
        return Promise.resolve({ body: Buffer.alloc(0), etag: '', replayed: false });
      });
    }
    const silent = Object.fromEntries(
      Object.entries(definition).map(([name, method]) => [
        name,
        { ...method, responseSerialize: () => Buffer.alloc(0) },
      ]),
    );
    const handlers = Object.fromEntries(Object.keys(definition).map((name) => [name, answer]));
    return grpcService(silent as UnaryDefinition<unknown>, handlers as UnaryHandlers<unknown>);
  });
  const server = await startGrpcServer({ services, log, identity: options.as ?? identity });
  servers.push(server);
  return server.port;
}

const open: { close(): void }[] = [];
const servers: { close(): void }[] = [];
let folder: string;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'parley-peers-'));
  port = await serveEverything();
});

afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  served = [];
});

afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** A peer with this certificate that writes its metadata itself. */
function peer(service: string, to = port): RawPeer {
  const made = new RawPeer(to, as(service).channelCredentials());
  open.push(made);
  return made;
}

const peersOf = (method: string): string[] => [...accessOf(method).peers];
const strangersOf = (method: string): string[] =>
  [...serviceNames, 'stranger'].filter((name) => !peersOf(method).includes(name));

/** The caller text that the method accepts from an admitted peer. */
const textFor = (method: string): string =>
  accessOf(method).callers === 'service' ? 'service' : signCaller(as('gateway'), caller);

const refusedWith = (status: number): Refusal => ({ status });

describe.each(paths)('access to %s', (method) => {
  const [admitted = ''] = peersOf(method);

  it('allows the listed peers with the right kind of caller', async () => {
    for (const name of peersOf(method)) await peer(name).call(method, textFor(method));
    const expected = accessOf(method).callers === 'service' ? serviceCaller : caller;
    expect(served.map((one) => one.caller)).toEqual(peersOf(method).map(() => expected));
  });

  it('rejects every other peer with 403', async () => {
    for (const name of strangersOf(method)) {
      expect([name, await peer(name).refusal(method, textFor(method))]).toEqual([name, refusedWith(403)]);
    }
    expect(served).toEqual([]);
  });

  it('rejects a request without a caller with 401', async () => {
    expect(await peer(admitted).refusal(method, undefined)).toEqual(refusedWith(401));
    expect(await peer(admitted).refusal(method, '')).toEqual(refusedWith(401));
    expect(served).toEqual([]);
  });

  it('rejects a caller signed more than a minute earlier or later with 503, because clocks differ', async () => {
    // A method for services rejects a signed caller whatever its time.
    if (accessOf(method).callers === 'service') return;
    for (const differenceMs of [-60_000, 60_000]) {
      const text = signCaller(as('gateway'), caller, Date.now() + differenceMs);
      expect(await peer(admitted).refusal(method, text)).toEqual(refusedWith(503));
    }
    expect(served).toEqual([]);
  });

  it('rejects forged callers with 401', async () => {
    const good = signCaller(as('gateway'), caller);
    const [payload = '', signature = '', certificate = ''] = good.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { caller: Caller };
    const raised = { ...claims, caller: { ...claims.caller, kind: 'operator' } };
    const other = Buffer.from(JSON.stringify(raised)).toString('base64url');
    const forged = {
      'plain JSON': JSON.stringify(caller),
      'other claims under the signature': [other, signature, certificate].join('.'),
      'no signature': [payload, '', certificate].join('.'),
      'no certificate': [payload, signature].join('.'),
      'what is no certificate': [payload, signature, 'AAAA'].join('.'),
      "another service's signature": signCaller(as('agents'), caller),
      'a service, signed': signCaller(as('gateway'), serviceCaller),
    };
    for (const [name, text] of Object.entries(forged)) {
      expect([name, await peer(admitted).refusal(method, text)]).toEqual([name, refusedWith(401)]);
    }
    expect(served).toEqual([]);
  });

  it('rejects the wrong kind of caller with 401', async () => {
    const { callers } = accessOf(method);
    if (callers === 'either') return;
    const text = callers === 'service' ? signCaller(as('gateway'), caller) : 'service';
    expect(await peer(admitted).refusal(method, text)).toEqual(refusedWith(401));
    expect(served).toEqual([]);
  });
});

it('the access table contains no method that does not exist', () => {
  expect(methodsNamed().filter((name) => !paths.includes(`/${name}`))).toEqual([]);
});

it('a service that is missing in the access table cannot be served', () => {
  expect(() => accessOf('/parley.unheard_of.v1.UnheardOfService/Ask')).toThrow(/access\.ts/);
});

describe('service certificates', () => {
  const method = '/parley.auth.v1.AuthService/VerifyToken';
  const files = testIdentityFiles('gateway');
  const trust = () =>
    ServiceIdentity.read(files)
      .authorities.map((one) => one.toString())
      .join('');

  /** TLS credentials with the given certificate, or none, that trust the test server. */
  const tls = (more: { cert?: string; key?: string } = {}): ChannelCredentials =>
    credentials.createFromSecureContext(createSecureContext({ ca: trust(), ...more }));

  async function own(options: CertificateOptions): Promise<ServiceIdentity> {
    const authority = await createAuthority();
    const { certificate, key } = await issueCertificate(authority, options);
    const file = (name: string, text: string): string => {
      const at = path.join(folder, name);
      writeFileSync(at, text);
      return at;
    };
    return ServiceIdentity.read({
      certificate: file('own.crt', certificate),
      key: file('own.key', key),
      authorities: file('own-ca.crt', authority.certificate),
    });
  }

  async function unreachable(with_: ChannelCredentials, to = port): Promise<void> {
    const raw = new RawPeer(to, with_);
    open.push(raw);
    expect(await raw.refusal(method, 'service')).toEqual({ transport: true });
    expect(served).toEqual([]);
  }

  it('a peer without a certificate cannot connect', () => unreachable(tls()));

  it('a peer without TLS cannot connect', () => unreachable(credentials.createInsecure()));

  it('a peer with a certificate of another CA cannot connect', async () => {
    const authority = await createAuthority();
    const { certificate, key } = await issueCertificate(authority, { service: 'gateway' });
    await unreachable(tls({ cert: certificate, key }));
  });

  it.each([
    ['expired', { notBefore: new Date(Date.now() - 7_200_000), notAfter: new Date(Date.now() - 3_600_000) }],
    ['not yet valid', { notBefore: new Date(Date.now() + 3_600_000) }],
  ])('a peer whose certificate is %s cannot connect', async (_case, validity) => {
    const authority = await createAuthority();
    const good = await issueCertificate(authority, { service: 'auth' });
    const bad = await issueCertificate(authority, { service: 'gateway', ...validity });
    const at = (name: string, text: string): string => {
      writeFileSync(path.join(folder, name), text);
      return path.join(folder, name);
    };
    const authorities = at('ca.crt', authority.certificate);
    const of = ({ certificate, key }: { certificate: string; key: string }) =>
      ServiceIdentity.read({ certificate: at('s.crt', certificate), key: at('s.key', key), authorities });
    const to = await serveEverything({ as: of(good) });
    const admitted = await issueCertificate(authority, { service: 'gateway' });
    const before = new RawPeer(to, of(admitted).channelCredentials());
    open.push(before);
    await before.call(method, 'service');
    served = [];
    await unreachable(of(bad).channelCredentials(), to);
  });

  it.each([
    ['no URI', { hosts: ['gateway.parley.internal'] }],
    ['a DNS name that looks like the URI', { hosts: ['x, URI:spiffe://parley/gateway'] }],
  ])('a service cannot start with a certificate with %s', async (_case, options) => {
    await expect(own(options)).rejects.toThrow(/spiffe/);
  });

  it('a client rejects a server with the certificate of another service', async () => {
    const { service, ...rest } = { service: 'agents', authority: await createAuthority() };
    const { certificate, key } = await issueCertificate(rest.authority, { service });
    const write = (name: string, text: string): string => {
      writeFileSync(path.join(folder, name), text);
      return path.join(folder, name);
    };
    const authorities = write('both-ca.crt', rest.authority.certificate + trust());
    const agents = ServiceIdentity.read({
      certificate: write('a.crt', certificate),
      key: write('a.key', key),
      authorities,
    });
    const to = await serveEverything({ as: agents });
    const gateway = ServiceIdentity.read({ ...files, authorities });
    const call = (server: 'auth' | 'agents') => {
      const address = `127.0.0.1:${to}`;
      const client = grpcClient<AuthServiceServer>(AuthServiceService, address, { identity: gateway, server });
      open.push(client);
      return client.verifyToken({ token: '' }, { requestId: 'r', caller: serviceCaller });
    };
    await call('agents');
    const error = await call('auth').catch((reason: unknown) => reason as AppError);
    expect(error).toMatchObject({ code: 'internal_error', status: 503 });
    expect(served).toHaveLength(1);
    expect(identityHost('auth')).toBe('auth.parley.internal');
  });
});
