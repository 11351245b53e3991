import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AppError } from '@parley/errors';
import { AuthServiceService, Principal, type AuthServiceServer } from '@parley/proto/auth';
import {
  createAuthority,
  issueCertificate,
  type Authority,
  type CertificateOptions,
} from '@parley/testing/certificates';
import {
  createLogger,
  grpcClient,
  grpcService,
  ServiceIdentity,
  startGrpcServer,
  type Caller,
  type CallContext,
  type IdentityFiles,
  type UnaryHandlers,
} from '../src';
import { anybody, gate } from './servers-under-test';

const log = createLogger({ service: 'test', level: 'silent' });
const caller: Caller = { keyId: 'key_1', organizationId: 'org_1', kind: 'customer', scopes: [] };
const context = { requestId: 'r', caller };

let folder: string;
let keyOfAnother = '';
const open: (() => void)[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'parley-rotation-'));
});

afterEach(() => {
  for (const close of open.splice(0)) close();
  rmSync(folder, { recursive: true, force: true });
});

const filesOf = (service: string): IdentityFiles => ({
  certificate: path.join(folder, `${service}.crt`),
  key: path.join(folder, `${service}.key`),
  authorities: path.join(folder, `${service}-ca.crt`),
});

/** Writes the files of a service: a certificate issued by `authority`, and the CAs that the service trusts. */
async function write(by: Authority, trusted: readonly Authority[], options: CertificateOptions & { service: string }) {
  const files = filesOf(options.service);
  const { certificate, key } = await issueCertificate(by, options);
  writeFileSync(files.certificate, certificate);
  writeFileSync(files.key, key);
  writeFileSync(files.authorities, trusted.map((one) => one.certificate).join('\n'));
}

const identityOf = (service: string): ServiceIdentity => ServiceIdentity.read(filesOf(service));

type Handler = (request: { token: string }, context: CallContext) => Promise<Principal>;

async function serve(identity: ServiceIdentity, handler?: Handler): Promise<number> {
  const verifyToken: Handler =
    handler ?? ((_request, one) => Promise.resolve(Principal.fromPartial({ keyId: one.caller?.keyId })));
  const handlers = { verifyToken } as UnaryHandlers<AuthServiceServer>;
  const services = [grpcService<AuthServiceServer>(AuthServiceService, handlers, anybody)];
  const server = await startGrpcServer({ services, identity, log });
  open.push(() => server.close());
  return server.port;
}

/** Calls on a new connection, because an open one keeps its certificates. */
async function call(identity: ServiceIdentity, port: number): Promise<string | AppError> {
  const client = grpcClient<AuthServiceServer>(AuthServiceService, `127.0.0.1:${port}`, { identity });
  try {
    return (await client.verifyToken({ token: '' }, context)).keyId;
  } catch (error) {
    return error as AppError;
  } finally {
    client.close();
  }
}

describe('replacing certificates while services run', () => {
  it.each(['ecdsa', 'rsa', 'ed25519'] as const)(
    'a key of type %s works for connections and for signing callers',
    async (algorithm) => {
      const authority = await createAuthority();
      await write(authority, [authority], { service: 'auth', algorithm });
      await write(authority, [authority], { service: 'gateway', algorithm });
      expect(await call(identityOf('gateway'), await serve(identityOf('auth')))).toBe('key_1');
    },
  );

  it('a call in progress completes, and the next connection uses the new certificate', async () => {
    const authority = await createAuthority();
    await write(authority, [authority], { service: 'auth' });
    await write(authority, [authority], { service: 'gateway' });
    const [auth, gateway] = [identityOf('auth'), identityOf('gateway')];
    const [begun, finish] = [gate(), gate()];
    const port = await serve(auth, async () => {
      begun.pass();
      await finish.passed;
      return Principal.fromPartial({ keyId: 'done' });
    });
    const client = grpcClient<AuthServiceServer>(AuthServiceService, `127.0.0.1:${port}`, { identity: gateway });
    open.push(() => client.close());
    const underWay = client.verifyToken({ token: '' }, context);
    await begun.passed;
    const before = gateway.chain[0]?.serialNumber;
    await write(authority, [authority], { service: 'auth' });
    await write(authority, [authority], { service: 'gateway' });
    expect([await auth.reload(), await gateway.reload()]).toEqual([true, true]);
    expect(gateway.chain[0]?.serialNumber).not.toBe(before);
    expect([await auth.reload(), await gateway.reload()]).toEqual([false, false]);
    finish.pass();
    expect((await underWay).keyId).toBe('done');
    expect(await call(gateway, port)).toBe('done');
    // The old connection remains in use, with callers that are signed with the new key.
    expect((await client.verifyToken({ token: '' }, { ...context, caller: { ...caller } })).keyId).toBe('done');
  });

  it('a CA is replaced by another in three steps, each service at its own time', async () => {
    const [old, next] = [await createAuthority(), await createAuthority()];
    const services = ['auth', 'gateway'] as const;
    for (const service of services) await write(old, [old], { service });
    const identities = { auth: identityOf('auth'), gateway: identityOf('gateway') };
    const port = await serve(identities.auth);
    const steps: readonly [Authority, readonly Authority[]][] = [
      [old, [old, next]],
      [next, [old, next]],
      [next, [next]],
    ];
    for (const [by, trusted] of steps) {
      for (const service of services) {
        await write(by, trusted, { service });
        await identities[service].reload();
        expect(await call(identities.gateway, port)).toBe('key_1');
      }
    }
    // A certificate of the old CA is no longer accepted.
    await write(old, [old, next], { service: 'gateway' });
    expect(await call(identityOf('gateway'), port)).toMatchObject({ code: 'internal_error', status: 503 });
  });

  it('a caller signed under a removed CA is rejected with 401', async () => {
    const [old, next] = [await createAuthority(), await createAuthority()];
    await write(old, [old, next], { service: 'gateway' });
    const gateway = identityOf('gateway');
    await write(next, [old, next], { service: 'auth' });
    const auth = identityOf('auth');
    const port = await serve(auth);
    const client = grpcClient<AuthServiceServer>(AuthServiceService, `127.0.0.1:${port}`, { identity: gateway });
    open.push(() => client.close());
    await client.verifyToken({ token: '' }, context);
    await write(next, [next], { service: 'auth' });
    await auth.reload();
    await expect(client.verifyToken({ token: '' }, context)).rejects.toMatchObject({ status: 401 });
  });

  it.each([
    ['a key of another certificate', (files: IdentityFiles) => writeFileSync(files.key, keyOfAnother)],
    [
      'a truncated certificate',
      (files: IdentityFiles) => writeFileSync(files.certificate, '-----BEGIN CERTIFICATE-----\nMII'),
    ],
    ['no CA', (files: IdentityFiles) => writeFileSync(files.authorities, '')],
    ['a missing file', (files: IdentityFiles) => rmSync(files.key)],
  ])('the previous certificate remains in use if the files have %s', async (_case, spoil) => {
    const authority = await createAuthority();
    await write(authority, [authority], { service: 'auth' });
    await write(authority, [authority], { service: 'gateway' });
    const identity = identityOf('auth');
    const port = await serve(identity);
    keyOfAnother = (await issueCertificate(authority, { service: 'auth' })).key;
    spoil(filesOf('auth'));
    await expect(identity.reload()).rejects.toThrow();
    expect(await call(identityOf('gateway'), port)).toBe('key_1');
  });

  it('a certificate of another service is not loaded', async () => {
    const authority = await createAuthority();
    await write(authority, [authority], { service: 'auth' });
    const identity = identityOf('auth');
    const { certificate, key } = await issueCertificate(authority, { service: 'agents' });
    writeFileSync(filesOf('auth').certificate, certificate);
    writeFileSync(filesOf('auth').key, key);
    await expect(identity.reload()).rejects.toThrow(/agents/);
    expect(identity.service).toBe('auth');
  });
});
