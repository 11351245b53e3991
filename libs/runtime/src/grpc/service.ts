import type { MethodDefinition, sendUnaryData, Server as GrpcServer, ServerUnaryCall } from '@grpc/grpc-js';
import { AppError, internal } from '@parley/errors';
import { requestLogger, type Logger } from '../log';
import type { RpcObserver } from '../metrics';
import { activeTracing, type ActiveSpan } from '../tracing/tracing';
import type { CallContext } from './call-context';
import { callerOf, requestIdOf, traceparentOf } from './metadata';
import type { MethodName, UnaryDefinition, UnaryHandlers } from './unary';
import { ErrorMessage, toWire } from './wire-error';

/** What a server gives the services that it serves. */
export interface ServingEnvironment {
  log: Logger;
  observe?: RpcObserver;
}

/** A service with its handlers, ready to be served. Made by `grpcService`. */
export interface GrpcService {
  /** Fully qualified, such as parley.auth.v1.AuthService. */
  readonly name: string;
  register(server: GrpcServer, environment: ServingEnvironment): void;
}

type Handler<Request, Response> = (request: Request, context: CallContext) => Promise<Response>;

/**
 * Binds handlers to a ts-proto service: `grpcService<AuthServiceServer>(AuthServiceService, { ... })`.
 * An AppError that a handler throws reaches the client whole; anything else is logged and becomes `internal_error` 500.
 */
export function grpcService<Server>(definition: UnaryDefinition<Server>, handlers: UnaryHandlers<Server>): GrpcService {
  const methods = Object.keys(definition) as MethodName<Server>[];
  const path = methods[0] === undefined ? '' : definition[methods[0]].path;
  return {
    name: path.split('/')[1] ?? '',
    register(server, environment) {
      for (const method of methods) registerMethod(server, environment, definition[method], handlers[method]);
    },
  };
}

function registerMethod<Request, Response>(
  server: GrpcServer,
  environment: ServingEnvironment,
  method: MethodDefinition<Request, Response>,
  handler: Handler<Request, Response>,
): void {
  const rpc = rpcName(method.path);
  const serialize = (value: Response | ErrorMessage) =>
    value instanceof ErrorMessage ? value.serialize() : method.responseSerialize(value);
  const handle = (
    call: ServerUnaryCall<Request, Response | ErrorMessage>,
    callback: sendUnaryData<Response | ErrorMessage>,
  ) => {
    // Never rejects: every outcome goes through the callback.
    answer(environment, rpc, handler, call, callback).catch((error: unknown) =>
      environment.log.fatal({ err: error, rpc }),
    );
  };
  server.register(method.path, handle, serialize, method.requestDeserialize, 'unary');
}

async function answer<Request, Response>(
  environment: ServingEnvironment,
  rpc: string,
  handler: Handler<Request, Response>,
  call: ServerUnaryCall<Request, Response | ErrorMessage>,
  callback: sendUnaryData<Response | ErrorMessage>,
): Promise<void> {
  const started = performance.now();
  const span = startServerSpan(rpc, call);
  const context = new CallSituation(environment.log, rpc, call, span);
  const view = viewOf(context);
  let failure: AppError | undefined;
  try {
    const work = () => handler(call.request, view);
    const response = await (span === undefined ? work() : span.run(work));
    callback(null, response);
  } catch (error) {
    failure = error instanceof AppError ? error : internal(error);
    // A fault of ours, with its cause; a refusal is the client's business.
    if (failure.code === 'internal_error') view.log.error({ err: failure }, 'rpc failed');
    const wire = toWire(failure);
    if (wire instanceof ErrorMessage) callback(null, wire);
    else callback(wire);
  }
  context.answered = true;
  span?.end(failure === undefined ? undefined : { error: failure });
  const ms = performance.now() - started;
  environment.observe?.(rpc, failure?.code ?? 'OK', ms / 1000);
  // The one line of a request is the gateway's; these are for who looks closer.
  if (environment.log.isLevelEnabled('debug')) view.log.debug({ code: failure?.code ?? 'OK', ms }, 'rpc');
}

function startServerSpan<Request, Response>(
  rpc: string,
  call: ServerUnaryCall<Request, Response>,
): ActiveSpan | undefined {
  return activeTracing()?.startSpan(rpc, {
    kind: 'server',
    parent: traceparentOf(call.metadata),
    attributes: { 'rpc.system.name': 'grpc', 'rpc.method': rpc },
  });
}

/** The parts of a context, each made when a handler first asks for it. */
class CallSituation<Request, Response> {
  /** The library also reports the end of an answered call as a cancellation. */
  answered = false;
  private controller: AbortController | undefined;
  private logger: Logger | undefined;
  private id: string | undefined;

  constructor(
    private readonly parentLog: Logger,
    private readonly rpc: string,
    private readonly call: ServerUnaryCall<Request, Response>,
    private readonly span: ActiveSpan | undefined,
  ) {}

  get requestId(): string {
    return (this.id ??= requestIdOf(this.call.metadata));
  }

  get traceparent(): string | undefined {
    return this.span?.traceparent ?? traceparentOf(this.call.metadata);
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = new AbortController();
      if (this.call.cancelled) controller.abort();
      else {
        this.call.once('cancelled', () => {
          if (!this.answered) controller.abort();
        });
      }
      this.controller = controller;
    }
    return this.controller.signal;
  }

  get log(): Logger {
    return (this.logger ??= requestLogger(this.parentLog, {
      requestId: this.requestId,
      traceparent: this.traceparent,
      rpc: this.rpc,
    }));
  }

  get caller() {
    return callerOf(this.call.metadata);
  }
}

/** Own properties, so that a handler may spread its context into another. */
function viewOf<Request, Response>(situation: CallSituation<Request, Response>): CallContext {
  return {
    get caller() {
      return situation.caller;
    },
    get requestId() {
      return situation.requestId;
    },
    get traceparent() {
      return situation.traceparent;
    },
    get signal() {
      return situation.signal;
    },
    get log() {
      return situation.log;
    },
  };
}

/** /parley.auth.v1.AuthService/VerifyToken -> AuthService/VerifyToken */
export function rpcName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
