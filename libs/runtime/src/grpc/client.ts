import { Channel, credentials, type MethodDefinition } from '@grpc/grpc-js';
import { AppError, internal } from '@parley/errors';
import type { RpcObserver } from '../metrics';
import { activeTracing } from '../tracing/tracing';
import type { OutgoingContext } from './call-context';
import { gatheredCall } from './gather-client';
import { LONGEST_DEADLINE_MS, MAX_MESSAGE_BYTES } from './limits';
import { particularsOf } from './metadata';
import { rpcName } from './service';
import { targetOf } from './target';
import type { CallOptions, GrpcClient, MethodName, UnaryDefinition } from './unary';
import { unaryCall, type Send } from './unary-call';
import { TransportError } from './wire-error';

export interface GrpcClientOptions<Server = object> {
  /** Milliseconds that a call without its own deadline may take; 10,000 unless told, 30,000 at most. */
  deadlineMs?: number;
  observe?: RpcObserver;
  /**
   * Methods of which the requests of one moment travel together (ADR 0027): short ones that are asked often. The latest deadline
   * of those that travel together holds for each, and an answer may have 8 MiB less 32 bytes.
   */
  gather?: readonly MethodName<Server>[];
}

export interface Closable {
  close(): void;
}

/** Tries in all, of an idempotent method whose server is away. */
const TRIES = 3;

/** By the first word of the method's name. */
const IDEMPOTENT = /\/(Get|List|Verify|Resolve|Compile)/;

const channelOptions = {
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.service_config_disable_resolution': 1,
  'grpc.enable_channelz': 0,
  'grpc.enable_http_proxy': 0,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
};

/**
 * A client with one function for each method; the connection is made at the first call and made again when it breaks.
 * @param address `host:port`, `127.0.0.1:1,127.0.0.1:2` or `dns:///name:port`; calls go round robin over all addresses
 */
export function grpcClient<Server>(
  definition: UnaryDefinition<Server>,
  address: string,
  options: GrpcClientOptions<Server> = {},
): GrpcClient<Server> & Closable {
  const channel = new Channel(targetOf(address), credentials.createInsecure(), channelOptions);
  const methods = Object.keys(definition) as MethodName<Server>[];
  const entries = methods.map((name) => {
    const { path } = definition[name];
    const alone = unaryCall(channel, path);
    const send = options.gather?.includes(name) ? gatheredCall(channel, path, alone) : alone;
    return [name, caller(send, definition[name], options)] as const;
  });
  return Object.assign(Object.fromEntries(entries) as GrpcClient<Server>, { close: () => channel.close() });
}

type Call<Request, Response> = (request: Request, context: OutgoingContext, options?: CallOptions) => Promise<Response>;

function caller<Request, Response>(
  send: Send,
  method: MethodDefinition<Request, Response>,
  defaults: Pick<GrpcClientOptions, 'deadlineMs' | 'observe'>,
): Call<Request, Response> {
  const rpc = rpcName(method.path);
  const idempotentByName = IDEMPOTENT.test(rpc);

  const run = async (request: Request, context: OutgoingContext, options: CallOptions = {}): Promise<Response> => {
    const started = performance.now();
    const budget = Math.min(options.deadlineMs ?? defaults.deadlineMs ?? 10_000, LONGEST_DEADLINE_MS);
    const deadline = Date.now() + budget;
    const tries = (options.idempotent ?? idempotentByName) ? TRIES : 1;
    for (let tried = 1; ; tried++) {
      try {
        const message = method.requestSerialize(request);
        const answer = await send({ message, particulars: particularsOf(context), deadline, signal: context.signal });
        const response = method.responseDeserialize(answer);
        defaults.observe?.(rpc, 'OK', (performance.now() - started) / 1000);
        return response;
      } catch (error) {
        if (tried < tries && mayTryAgain(error, context.signal)) {
          const pauseMs = Math.random() * 25 * 6 ** (tried - 1);
          if (Date.now() + pauseMs < deadline) {
            await new Promise((resolve) => setTimeout(resolve, pauseMs));
            continue;
          }
        }
        const failure = appErrorOf(error);
        defaults.observe?.(rpc, failure.code, (performance.now() - started) / 1000);
        throw failure;
      }
    }
  };

  return (request, context, options) => {
    const tracing = activeTracing();
    if (tracing === undefined) return run(request, context, options);
    const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': rpc };
    const parent = tracing.currentTraceparent() ?? context.traceparent;
    return tracing.withSpan(rpc, { kind: 'client', parent, attributes }, () => run(request, context, options));
  };
}

function mayTryAgain(error: unknown, signal: AbortSignal | undefined): boolean {
  return error instanceof TransportError && error.unavailable && signal?.aborted !== true;
}

function appErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return error instanceof TransportError ? error.toAppError() : internal(error);
}
