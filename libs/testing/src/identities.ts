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

/** The folder is kept, so that all test runs of a checkout use the same certificates. */
const folder = path.resolve(__dirname, '../../../.parley/test-certificates');

/** The compiled module, because the process that runs it does not support TypeScript. */
const built = path.resolve(__dirname, '../dist/kept-certificates.js');

/** Services that exist only in tests. */
const strangers = ['runtime-test', 'stranger'];

const read = new Map<string, ServiceIdentity>();

/** The files of a service's test certificate. It has the DNS names of all services, so that one test server can take the place of several. */
export function testIdentityFiles(service: string): IdentityFiles {
  if (!isGood(folder, service)) {
    // Created in a separate process, because creating certificates is asynchronous and this function is not.
    const script = 'require(process.argv[1]).keepCertificates(process.argv[2], ...JSON.parse(process.argv[3]))';
    const settings = JSON.stringify([[...serviceNames, ...strangers], serviceNames.map(identityHost)]);
    execFileSync(process.execPath, ['-e', script, built, folder, settings]);
  }
  return filesOf(folder, service);
}

/** The identity that a test uses as a client of a service. The default is the gateway, because services accept only callers that the gateway signed. */
export function testIdentity(service = 'gateway'): ServiceIdentity {
  const known = read.get(service) ?? ServiceIdentity.read(testIdentityFiles(service));
  read.set(service, known);
  return known;
}

/** The environment variables with the certificate for a service process that a test starts. */
export function testIdentityEnvironment(service: string): Record<string, string> {
  const { certificate, key, authorities } = testIdentityFiles(service);
  return { TLS_CERT_FILE: certificate, TLS_KEY_FILE: key, TLS_CA_FILE: authorities };
}

/**
 * The runtime's `grpcClient`, which calls each method with the identity of a service that may call it. Callers created by the test have the gateway's
 * signature.
 */
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

/** The runtime's `publicClient` with the identity of the gateway. */
export function publicClient(
  address: string,
  options: Partial<PublicClientOptions> & { readonly server?: ServiceName } = {},
): PublicClient & Closable {
  return connectPublic(options.server ?? 'auth', address, { identity: testIdentity(), ...options });
}
