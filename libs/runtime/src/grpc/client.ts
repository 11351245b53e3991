import { type MethodDefinition, status, type Channel, type StatusObject } from '@grpc/grpc-js';
import { internal } from '@parley/errors';
import { serverOf, type ServiceName } from '../identity/access';
import type { ServiceIdentity } from '../identity/service-identity';
import { CallerSigner } from '../identity/signed-callers';
import type { RpcObserver } from '../metrics';
import { activeTracing } from '../tracing/tracing';
import type { OutgoingContext } from './call-context';
import { channelTo, type Closable } from './channel';
import { LONGEST_DEADLINE_MS } from './limits';
import { callMetadata, metadataOf, type CallMetadata } from './metadata';
import { withRetries } from './retries';
import { rpcName } from './service';
import type { CallOptions, GrpcClient, MethodName, UnaryDefinition } from './unary';
import { errorInPlaceOf, fromWire, withoutAnswer } from './wire-error';

export interface GrpcClientOptions {
  /** The identity of the calling service. */
  identity: ServiceIdentity;
  /** Serializes and signs the callers of requests. Default: derived from the identity. */
  callers?: CallerSigner;
  /** The expected identity of the server. Default: the service to which the definition belongs. */
  server?: ServiceName;
  /** Deadline in milliseconds of calls that specify none; default 10,000, at most 30,000. */
  deadlineMs?: number;
  observe?: RpcObserver;
}

/** Methods that are idempotent, recognized by the first word of their name. */
const IDEMPOTENT = /\/(Get|List|Verify|Resolve|Compile)/;

/**
 * A client with one function per method. The connection is established at the first call, and again after it breaks.
 * @param address `host:port`, `127.0.0.1:1,127.0.0.1:2` or `dns:///name:port`; calls alternate between all addresses (round robin)
 */
export function grpcClient<Server>(
  definition: UnaryDefinition<Server>,
  address: string,
  options: GrpcClientOptions,
): GrpcClient<Server> & Closable {
  const methods = Object.keys(definition) as MethodName<Server>[];
  const server = options.server ?? (methods[0] && serverOf(definition[methods[0]].path));
  if (server === undefined) throw new Error('the definition belongs to no single service; set options.server');
  const channel = channelTo(address, server, options.identity);
  const callers = options.callers ?? new CallerSigner(options.identity);
  const entries = methods.map((name) => {
    return [name, caller(unaryCall(channel, definition[name].path), definition[name], callers, options)] as const;
  });
  return Object.assign(Object.fromEntries(entries) as GrpcClient<Server>, { close: () => channel.close() });
}

type Call<Request, Response> = (request: Request, context: OutgoingContext, options?: CallOptions) => Promise<Response>;

function caller<Request, Response>(
  send: Send,
  method: MethodDefinition<Request, Response>,
  callers: CallerSigner,
  defaults: Pick<GrpcClientOptions, 'deadlineMs' | 'observe'>,
): Call<Request, Response> {
  const rpc = rpcName(method.path);
  const idempotentByName = IDEMPOTENT.test(rpc);

  const run = (request: Request, context: OutgoingContext, options: CallOptions = {}): Promise<Response> => {
    const budget = Math.min(options.deadlineMs ?? defaults.deadlineMs ?? 10_000, LONGEST_DEADLINE_MS);
    const deadline = Date.now() + budget;
    const { signal } = context;
    const attempt = async () => {
      const message = method.requestSerialize(request);
      const particulars = callMetadata(context, callers);
      return method.responseDeserialize(await send({ message, particulars, deadline, signal }));
    };
    const idempotent = options.idempotent ?? idempotentByName;
    return withRetries(attempt, { rpc, deadline, idempotent, observe: defaults.observe, signal });
  };

  return (request, context, options) => {
    const tracing = activeTracing();
    if (tracing === undefined) return run(request, context, options);
    const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': rpc };
    const parent = tracing.currentTraceparent() ?? context.traceparent;
    return tracing.withSpan(rpc, { kind: 'client', parent, attributes }, () => run(request, context, options));
  };
}

/** An outgoing request. */
interface Outgoing {
  /** The serialized request. */
  readonly message: Buffer;
  readonly particulars: CallMetadata;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request once. Resolves with the serialized response; rejects with an AppError or a TransportError. */
type Send = (outgoing: Outgoing) => Promise<Buffer>;

/**
 * A unary call made directly on the channel. The library's Client adds interceptors, an event emitter and a stack trace to each call, which together cost as
 * much as this whole wrapper.
 */
function unaryCall(channel: Channel, path: string): Send {
  const rpc = rpcName(path);
  return ({ message, particulars, deadline, signal }) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(internal(signal.reason, 503));
        return;
      }
      const call = channel.createCall(path, deadline, null, null, null);
      const cancel = () => call.cancelWithStatus(status.CANCELLED, 'given up');
      let answer: Buffer | undefined;
      call.start(metadataOf(particulars), {
        onReceiveMetadata: () => undefined,
        onReceiveMessage(bytes: Buffer) {
          answer = bytes;
        },
        onReceiveStatus(outcome: StatusObject) {
          signal?.removeEventListener('abort', cancel);
          const failure = outcome.code === status.OK ? answer && errorInPlaceOf(answer) : fromWire(rpc, outcome);
          if (failure !== undefined) reject(failure);
          else if (answer !== undefined) resolve(answer);
          else reject(withoutAnswer(rpc));
        },
      });
      call.startRead();
      call.sendMessageWithContext({}, message);
      call.halfClose();
      signal?.addEventListener('abort', cancel, { once: true });
    });
}
