import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server } from '@grpc/grpc-js';
import { AppError } from '@parley/errors';
import { testIdentityFiles } from '@parley/testing';
import {
  createLogger,
  ServiceIdentity,
  serviceNames,
  startGrpcServer,
  type Access,
  type GrpcService,
  type RunningGrpcServer,
} from '../src';

export type Observed = (rpc: string, code: string) => void;

/** The certificate of the gateway. Test clients accept it for a server of any service. */
export const identity = ServiceIdentity.read(testIdentityFiles('gateway'));

/** For services whose access rules are not under test. */
export const anybody: Access = { peers: serviceNames, callers: 'either' };

const log = createLogger({ service: 'test', level: 'silent' });
const open: { close(): void }[] = [];

/** Registers something to be closed after the test. */
export function closing<T extends { close(): void }>(one: T): T {
  open.push(one);
  return one;
}

export async function serveAll(services: GrpcService[], observe?: Observed): Promise<RunningGrpcServer> {
  return closing(await startGrpcServer({ services, identity, log, observe }));
}

/** Registers a method on a server. */
export type Part = (server: Server) => void;

export const asBytes = (bytes: Buffer): Buffer => bytes;

/** Starts a server that uses only the gRPC library. */
export async function serveRaw(...parts: Part[]): Promise<number> {
  const server = new Server();
  for (const register of parts) register(server);
  closing({ close: () => server.forceShutdown() });
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', identity.serverCredentials(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
}

/** A promise that the test resolves with `pass`. */
export function gate(): { passed: Promise<void>; pass(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, pass: resolve };
}

export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const [outcome] = await Promise.allSettled([work]);
  if (outcome.status === 'rejected' && outcome.reason instanceof AppError) return outcome.reason;
  throw new Error('it did not fail with an AppError', { cause: outcome });
}

/**
 * To be called once per file. Closes everything that was opened after each test. Returns a function that returns the paths of the sent RPCs of this
 * service. RPCs of other services are not listed, because the channel belongs to the process, in which a client of an earlier file may still poll.
 */
export function watchRpcs(service: string): () => readonly string[] {
  let left: string[] = [];
  const note = (message: unknown): void => {
    const rpc = (message as { headers: Record<string, string> }).headers[':path'] ?? '';
    if (rpc.startsWith(`/${service}/`)) left.push(rpc);
  };
  beforeEach(() => {
    left = [];
    subscribe('http2.client.stream.created', note);
  });
  afterEach(() => {
    unsubscribe('http2.client.stream.created', note);
    for (const one of open.splice(0)) one.close();
  });
  return () => left;
}
