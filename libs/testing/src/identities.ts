import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { MethodDefinition } from '@grpc/grpc-js';
import {
  accessOf,
  CallerSigner,
  grpcClient as connect,
  identityHost,
  publicClient as connectPublic,
  ServiceIdentity,
  serviceNames,
  type Closable,
  type GrpcClient,
  type GrpcClientOptions,
  type IdentityFiles,
  type PublicClient,
  type PublicClientOptions,
  type ServiceName,
  type UnaryDefinition,
} from '@parley/runtime';
import { filesOf, isGood } from './kept-certificates';

/** Kept over the runs of all tests of a checkout. */
const folder = path.resolve(__dirname, '../../../.parley/test-certificates');

/** Compiled: the process that runs it knows no TypeScript. */
const built = path.resolve(__dirname, '../dist/kept-certificates.js');

/** Services that only tests have. */
const strangers = ['runtime-test', 'stranger'];

const read = new Map<string, ServiceIdentity>();

/** The files of a service's certificate for tests. It has the DNS names of all services, so that one server may stand in for several. */
export function testIdentityFiles(service: string): IdentityFiles {
  if (!isGood(folder, service)) {
    // In a process of its own, because certificates are made asynchronously.
    const script = 'require(process.argv[1]).keepCertificates(process.argv[2], ...JSON.parse(process.argv[3]))';
    const settings = JSON.stringify([[...serviceNames, ...strangers], serviceNames.map(identityHost)]);
    execFileSync(process.execPath, ['-e', script, built, folder, settings]);
  }
  return filesOf(folder, service);
}

/** Who a test is to a service; the gateway is who signs callers. */
export function testIdentity(service = 'gateway'): ServiceIdentity {
  const known = read.get(service) ?? ServiceIdentity.read(testIdentityFiles(service));
  read.set(service, known);
  return known;
}

/** The environment of a process of a service that a test starts. */
export function testIdentityEnvironment(service: string): Record<string, string> {
  const { certificate, key, authorities } = testIdentityFiles(service);
  return { TLS_CERT_FILE: certificate, TLS_KEY_FILE: key, TLS_CA_FILE: authorities };
}

/** As the runtime's, each method as a peer that it admits. Callers that the test makes carry the gateway's signature. */
export function grpcClient<Server>(
  definition: UnaryDefinition<Server>,
  address: string,
  options: Partial<GrpcClientOptions> = {},
): GrpcClient<Server> & Closable {
  const callers = new CallerSigner(testIdentity());
  const byPeer = new Map<string, GrpcClient<Server> & Closable>();
  const clientOf = (method: string): GrpcClient<Server> => {
    const peer = (method.startsWith('/parley.') ? accessOf(method).peers[0] : undefined) ?? 'gateway';
    const client =
      byPeer.get(peer) ?? connect(definition, address, { identity: testIdentity(peer), callers, ...options });
    byPeer.set(peer, client);
    return client;
  };
  const methods = Object.entries(definition as Record<string, MethodDefinition<unknown, unknown>>);
  const entries = methods.map(([name, { path: method }]) => [name, clientOf(method)[name as keyof GrpcClient<Server>]]);
  const close = (): void => byPeer.forEach((client) => client.close());
  return Object.assign(Object.fromEntries(entries) as GrpcClient<Server>, { close });
}

/** As the runtime's, as the gateway. */
export function publicClient(
  address: string,
  options: Partial<PublicClientOptions> & { readonly server?: ServiceName } = {},
): PublicClient & Closable {
  return connectPublic(options.server ?? 'auth', address, { identity: testIdentity(), ...options });
}
