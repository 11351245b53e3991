import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server, ServerCredentials, type handleServerStreamingCall, type handleUnaryCall } from '@grpc/grpc-js';
import { AppError } from '@parley/errors';
import { AuthServiceService, Principal, type AuthServiceServer, type VerifyTokenRequest } from '@parley/proto/auth';
import { GatherServiceService } from '@parley/proto/gather';
import {
  createLogger,
  grpcClient,
  grpcService,
  startGrpcServer,
  type CallContext,
  type Closable,
  type GrpcClient,
  type GrpcService,
  type RunningGrpcServer,
  type UnaryHandlers,
} from '../src';

export type Handler = (request: VerifyTokenRequest, context: CallContext) => Promise<Principal>;
export type Client = GrpcClient<AuthServiceServer> & Closable;
type Observed = (rpc: string, code: string) => void;

export const GATHER = GatherServiceService.gather.path;
export const VERIFY = AuthServiceService.verifyToken.path;
export const context = { requestId: 'request-1' };

const log = createLogger({ service: 'test', level: 'silent' });
const open: { close(): void }[] = [];

export async function serveAll(services: GrpcService[], observe?: Observed): Promise<RunningGrpcServer> {
  const server = await startGrpcServer({ services, log, observe });
  open.push(server);
  return server;
}

export function serve(verifyToken: Handler, observe?: Observed): Promise<RunningGrpcServer> {
  // Only the method that the tests call has a handler.
  const handlers = { verifyToken } as UnaryHandlers<AuthServiceServer>;
  return serveAll([grpcService<AuthServiceServer>(AuthServiceService, handlers)], observe);
}

/** A client that gathers two of the methods. */
export function connect(ports: number | number[], observe?: Observed): Client {
  const address = [ports].flat().map((port) => `127.0.0.1:${port}`);
  const client = grpcClient<AuthServiceServer>(AuthServiceService, address.join(','), {
    gather: ['verifyToken', 'noteKeysUsed'],
    observe,
  });
  open.push(client);
  return client;
}

type Part = (server: Server) => void;

const asBytes = (bytes: Buffer): Buffer => bytes;

export const unary =
  (path: string, handle: handleUnaryCall<Buffer, Buffer>): Part =>
  (server) =>
    server.register(path, handle, asBytes, asBytes, 'unary');

export const gather =
  (handle: handleServerStreamingCall<Buffer, Buffer>): Part =>
  (server) =>
    server.register(GATHER, handle, asBytes, asBytes, 'serverStream');

/** A server of the library alone. */
export async function serveRaw(...parts: Part[]): Promise<number> {
  const server = new Server();
  for (const register of parts) register(server);
  open.push({ close: () => server.forceShutdown() });
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
}

export const named = (keyId: string): Principal => Principal.fromPartial({ keyId });
export const bytesOf = (principal: Principal): Buffer => Buffer.from(Principal.encode(principal).finish());
export const echo: Handler = ({ token }) => Promise.resolve(named(token));

/** A promise that the test keeps. */
export function gate(): { passed: Promise<void>; pass(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, pass: resolve };
}

/** Asks for all of them in the same moment. */
export const askAll = (client: Client, tokens: string[]) =>
  tokens.map((token) => client.verifyToken({ token }, context));

export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const [outcome] = await Promise.allSettled([work]);
  if (outcome.status === 'rejected' && outcome.reason instanceof AppError) return outcome.reason;
  throw new Error('it did not fail with an AppError', { cause: outcome });
}

/** What each came to: the answer's name, or the error's status. */
export async function outcomesOf(work: Promise<Principal>[]): Promise<(string | number)[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((one) => (one.status === 'fulfilled' ? one.value.keyId : (one.reason as AppError).status));
}

/** To be called once a file: what the functions above opened is closed after each test. Tells the paths of the RPCs that left. */
export function watchRpcs(): () => readonly string[] {
  let left: string[] = [];
  const note = (message: unknown) => left.push((message as { headers: Record<string, string> }).headers[':path'] ?? '');
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
