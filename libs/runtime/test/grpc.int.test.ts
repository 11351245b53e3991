import { Server, status, type handleUnaryCall } from '@grpc/grpc-js';
import { AppError, badRequest, internal } from '@parley/errors';
import { AuthServiceService, Principal, type AuthServiceServer, type VerifyTokenRequest } from '@parley/proto/auth';
import { eventually, freePort } from '@parley/testing';
import {
  createLogger,
  grpcClient,
  grpcService,
  serviceCaller,
  startGrpcServer,
  type CallContext,
  type CallOptions,
  type Caller,
  type Closable,
  type GrpcClient,
  type RunningGrpcServer,
  type UnaryHandlers,
} from '../src';
import { anybody, identity } from './servers-under-test';
import { ServiceProcess } from './service-process';

type Handler = (request: VerifyTokenRequest, context: CallContext) => Promise<Principal>;
type Client = GrpcClient<AuthServiceServer> & Closable;

const log = createLogger({ service: 'test', level: 'silent' });
const open: { close(): void }[] = [];

async function serve(handler: Handler, port = 0): Promise<RunningGrpcServer> {
  // Only the method that the tests call has a handler.
  const handlers = { verifyToken: handler } as UnaryHandlers<AuthServiceServer>;
  const services = [grpcService<AuthServiceServer>(AuthServiceService, handlers, anybody)];
  const server = await startGrpcServer({ services, identity, port, log });
  open.push(server);
  return server;
}

function connect(...ports: number[]): Client {
  const addresses = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const client = grpcClient<AuthServiceServer>(AuthServiceService, addresses, { identity });
  open.push(client);
  return client;
}

const context = { requestId: 'request-1', caller: serviceCaller };

const failureOf = async (work: Promise<unknown>): Promise<AppError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error('it did not fail with an AppError', { cause: error });
  return error;
};

afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

describe('errors over gRPC', () => {
  it.each([
    ['an error with fields', new AppError('outbound_call_queue_full', 'full', { fields: { retry_after_seconds: 7 } })],
    ['an internal error with another status', internal(new Error('the cause'), 503)],
    ['text that is not ASCII', badRequest('naïve ✓ 🙂')],
    [
      'an error too large for trailers',
      new AppError('WorkflowRevisionConflictError', 'stale', { fields: { current: { text: 'ß'.repeat(500_000) } } }),
    ],
  ])('%s arrives completely, without its cause', async (_case, thrown) => {
    const server = await serve(() => Promise.reject(thrown));
    const failure = await failureOf(connect(server.port).verifyToken({ token: '' }, context));
    expect(failure.toData()).toEqual(thrown.toData());
    expect(failure.cause).toBeUndefined();
  });

  it('any other error becomes internal_error without details', async () => {
    const server = await serve(() => Promise.reject(new Error('hunter2')));
    const failure = await failureOf(connect(server.port).verifyToken({ token: '' }, context));
    expect(failure.toData()).toMatchObject({ code: 'internal_error', status: 500 });
    expect(JSON.stringify(failure)).not.toContain('hunter2');
  });

  it('an unreachable server gives 503, a method that it lacks 500', async () => {
    const gone = await serve(() => Promise.resolve(Principal.fromPartial({})));
    gone.close();
    expect(await failureOf(connect(gone.port).recordKeyUsage({ keyIds: [], addresses: [] }, context))).toMatchObject({
      status: 503,
    });
    const empty = await startGrpcServer({ services: [], identity, log });
    open.push(empty);
    expect(await failureOf(connect(empty.port).verifyToken({ token: '' }, context))).toMatchObject({
      code: 'internal_error',
      status: 500,
    });
  });
});

describe('call context', () => {
  it('caller, client, request id and trace reach the handler, which can pass them on', async () => {
    const seen: CallContext[] = [];
    const inner = await serve((_request, call) => {
      seen.push({ ...call });
      return Promise.resolve(Principal.fromPartial({}));
    });
    const onward = connect(inner.port);
    const outer = await serve((request, call) => onward.verifyToken(request, call));
    const caller: Caller = { keyId: 'key_é', organizationId: 'org_1', kind: 'customer', scopes: ['agents:read'] };
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const client = { address: '2001:db8::7', userAgent: 'naïve 1\n☎' };
    await connect(outer.port).verifyToken({ token: '' }, { caller, client, requestId: 'r-7', traceparent });
    expect(seen[0]).toMatchObject({ caller, client, requestId: 'r-7', traceparent });
    await connect(outer.port).verifyToken({ token: '' }, { caller, requestId: 'r-8' });
    expect(seen[1]?.client).toBeUndefined();
    expect(seen[0]?.signal.aborted).toBe(false);
  });

  it('a request id that is not valid in a header is replaced', async () => {
    const seen: CallContext[] = [];
    const server = await serve((_request, call) => {
      seen.push({ ...call });
      return Promise.resolve(Principal.fromPartial({}));
    });
    await connect(server.port).verifyToken({ token: '' }, { caller: serviceCaller, requestId: 'a\nb' });
    expect(seen[0]?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('the largest message is 8 MiB', async () => {
    const server = await serve(({ token }) => Promise.resolve(Principal.fromPartial({ keyId: token })));
    const client = connect(server.port);
    const fits = 'x'.repeat(8 * 1024 * 1024 - 16);
    expect((await client.verifyToken({ token: fits }, context)).keyId.length).toBe(fits.length);
    expect(await failureOf(client.verifyToken({ token: `${fits}${'x'.repeat(32)}` }, context))).toMatchObject({
      status: 500,
    });
  });
});

describe('deadlines and cancellation', () => {
  const never = () => new Promise<Principal>(() => undefined);

  it('an exceeded deadline gives 504 and aborts the handler', async () => {
    let signal: AbortSignal | undefined;
    const server = await serve((_request, call) => {
      signal = call.signal;
      return never();
    });
    const client = connect(server.port);
    // On a busy machine the deadline may expire before the call arrives.
    await eventually(async () => {
      const failure = await failureOf(client.verifyToken({ token: '' }, context, { deadlineMs: 100 }));
      expect(failure).toMatchObject({ code: 'internal_error', status: 504 });
      return signal;
    });
    await eventually(() => signal?.aborted || undefined);
  });

  it('a canceled RPC aborts the handlers of every hop', async () => {
    let signal: AbortSignal | undefined;
    const inner = await serve((_request, call) => {
      signal = call.signal;
      return never();
    });
    const onward = connect(inner.port);
    const outer = await serve((request, call) => onward.verifyToken(request, call));
    const giveUp = new AbortController();
    const failing = failureOf(connect(outer.port).verifyToken({ token: '' }, { ...context, signal: giveUp.signal }));
    await eventually(() => signal);
    giveUp.abort();
    expect(await failing).toMatchObject({ status: 503 });
    await eventually(() => signal?.aborted || undefined);
    const late = failureOf(connect(outer.port).verifyToken({ token: '' }, { ...context, signal: giveUp.signal }));
    expect(await late).toMatchObject({ status: 503 });
  });
});

describe('several replicas', () => {
  const named =
    (name: string): Handler =>
    () =>
      Promise.resolve(Principal.fromPartial({ keyId: name }));

  it('receive calls in turn', async () => {
    const [a, b] = [await serve(named('a')), await serve(named('b'))];
    const client = connect(a.port, b.port);
    const served = await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => client.verifyToken({ token: '' }, context)));
      const names = answers.map((answer) => answer.keyId);
      return names.includes('a') && names.includes('b') ? names : undefined;
    });
    expect(served.filter((name) => name === 'a').length).toBe(5);
  });

  it('a killed replica fails no idempotent call, and of the others only those in progress', async () => {
    const [doomed, survivor] = [new ServiceProcess(), new ServiceProcess()];
    try {
      const ports = await Promise.all(
        [doomed, survivor].map(async (one) => Number((await eventually(() => one.line('ready')))['grpc'])),
      );
      const client = connect(...ports);
      await eventually(async () => {
        const names = await Promise.all([1, 2, 3, 4].map(() => client.verifyToken({ token: '' }, context)));
        return new Set(names.map((name) => name.keyId)).size === 2 || undefined;
      });
      const calls: Promise<unknown>[] = [];
      for (let round = 0; round < 40; round++) {
        if (round === 10) doomed.kill('SIGKILL');
        calls.push(...[1, 2, 3, 4, 5].map(() => client.verifyToken({ token: 'sleep 5' }, context)));
        await new Promise((resolve) => setImmediate(resolve));
      }
      const outcomes = await Promise.allSettled(calls);
      expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toEqual([]);
      await doomed.exit();
      // No call is in progress any more, so calls that are not idempotent must not fail either.
      const later = await Promise.all(
        Array.from({ length: 20 }, () => client.verifyToken({ token: '' }, context, { idempotent: false })),
      );
      expect(new Set(later.map((answer) => answer.keyId))).toEqual(new Set([String(survivor.child.pid)]));
    } finally {
      for (const one of [doomed, survivor]) {
        one.kill('SIGKILL');
        await one.exit();
      }
    }
  });

  it('a draining replica fails no call, idempotent or not', async () => {
    const [leaving, staying] = [new ServiceProcess(), new ServiceProcess()];
    try {
      const ports = await Promise.all(
        [leaving, staying].map(async (one) => Number((await eventually(() => one.line('ready')))['grpc'])),
      );
      const client = connect(...ports);
      const failures: unknown[] = [];
      const served = new Set<string>();
      let done = false;
      const load = Array.from({ length: 8 }, async () => {
        while (!done) {
          await client.verifyToken({ token: 'sleep 2' }, context, { idempotent: false }).then(
            (answer) => served.add(answer.keyId),
            (error: unknown) => failures.push(error),
          );
        }
      });
      await eventually(() => served.size === 2 || undefined);
      leaving.kill('SIGTERM');
      expect(await leaving.exit()).toBe(0);
      // A response of the stopped replica may be read after its exit was noticed.
      served.clear();
      await eventually(() => served.has(String(staying.child.pid)) || undefined);
      done = true;
      await Promise.all(load);
      expect(failures).toEqual([]);
    } finally {
      for (const one of [leaving, staying]) {
        one.kill('SIGKILL');
        await one.exit();
      }
    }
  });

  it('a replica that returns is used again within seconds', async () => {
    // The replica listens on this port again later, so it must not be one that the kernel may assign to a client.
    const [a, b] = [await serve(named('a'), await freePort()), await serve(named('b'))];
    const client = connect(a.port, b.port);
    const wait = (name: string, present: boolean) =>
      eventually(async () => {
        const answers = await Promise.all([1, 2, 3, 4].map(() => client.verifyToken({ token: '' }, context)));
        return answers.some((answer) => answer.keyId === name) === present || undefined;
      });
    await wait('a', true);
    a.close();
    await wait('a', false);
    await serve(named('a'), a.port);
    await wait('a', true);
  });

  it('UNAVAILABLE is attempted three times for an idempotent method, once for others', async () => {
    const tries: Record<string, number> = {};
    const server = new Server();
    for (const method of [AuthServiceService.verifyToken, AuthServiceService.recordKeyUsage]) {
      const refuse: handleUnaryCall<Buffer, Buffer> = (_call, callback) => {
        tries[method.path] = (tries[method.path] ?? 0) + 1;
        callback({ code: status.UNAVAILABLE, details: 'leaving' });
      };
      server.register(
        method.path,
        refuse,
        (bytes) => bytes,
        (bytes) => bytes,
        'unary',
      );
    }
    open.push({ close: () => server.forceShutdown() });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', identity.serverCredentials(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    const client = connect(port);
    const verify = (options?: CallOptions) => failureOf(client.verifyToken({ token: 't' }, context, options));
    const note = (options?: CallOptions) =>
      failureOf(client.recordKeyUsage({ keyIds: ['k'], addresses: [] }, context, options));
    expect(await verify()).toMatchObject({ code: 'internal_error', status: 503 });
    expect(await note()).toMatchObject({ code: 'internal_error', status: 503 });
    expect(Object.values(tries)).toEqual([3, 1]);
    await verify({ idempotent: false });
    await note({ idempotent: true });
    expect(Object.values(tries)).toEqual([4, 4]);
  });
});
