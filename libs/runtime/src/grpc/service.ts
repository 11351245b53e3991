import type { MethodDefinition } from '@grpc/grpc-js';
import { AppError, internal } from '@parley/errors';
import { requestLogger, type Logger } from '../log';
import type { RpcObserver } from '../metrics';
import { activeTracing } from '../tracing/tracing';
import type { CallContext } from './call-context';
import type { Incoming, ServedMethod } from './served-method';
import type { MethodName, UnaryDefinition, UnaryHandlers } from './unary';

/** What a server gives the services that it serves. */
export interface ServingEnvironment {
  log: Logger;
  observe?: RpcObserver;
}

/** A service with its handlers, ready to be served. Made by `grpcService`. */
export interface GrpcService {
  /** Fully qualified, such as parley.auth.v1.AuthService. */
  readonly name: string;
  methods(environment: ServingEnvironment): readonly ServedMethod[];
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
    methods: (environment) => methods.map((method) => bind(environment, definition[method], handlers[method])),
  };
}

function bind<Request, Response>(
  { log, observe }: ServingEnvironment,
  method: MethodDefinition<Request, Response>,
  handler: Handler<Request, Response>,
): ServedMethod {
  const { path, requestDeserialize, responseSerialize } = method;
  const rpc = rpcName(path);
  const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': rpc };

  const answer = async (message: Buffer, incoming: Incoming): Promise<Buffer | AppError> => {
    const started = performance.now();
    const span = activeTracing()?.startSpan(rpc, { kind: 'server', parent: incoming.traceparent, attributes });
    const situation = new CallSituation(log, rpc, incoming, span?.traceparent);
    const context = viewOf(situation);
    let outcome: Buffer | AppError;
    try {
      const work = () => handler(requestDeserialize(message), context);
      outcome = responseSerialize(await (span === undefined ? work() : span.run(work)));
    } catch (error) {
      outcome = error instanceof AppError ? error : internal(error);
      // A fault of ours, with its cause; a refusal is the client's business.
      if (outcome.code === 'internal_error') context.log.error({ err: outcome }, 'rpc failed');
    }
    situation.answered = true;
    const failure = outcome instanceof AppError ? outcome : undefined;
    span?.end(failure === undefined ? undefined : { error: failure });
    const code = failure?.code ?? 'OK';
    const ms = performance.now() - started;
    observe?.(rpc, code, ms / 1000);
    // The one line of a request is the gateway's; these are for who looks closer.
    if (log.isLevelEnabled('debug')) context.log.debug({ code, ms }, 'rpc');
    return outcome;
  };
  return {
    path,
    serve: (message, incoming, callback) => {
      answer(message, incoming)
        .then(callback)
        .catch((error: unknown) => log.fatal({ err: error, rpc }));
    },
  };
}

/** The parts of a context, each made when a handler first asks for it. */
class CallSituation {
  /** The library also reports the end of an answered call as a cancellation. */
  answered = false;
  private controller: AbortController | undefined;
  private logger: Logger | undefined;
  private id: string | undefined;

  constructor(
    private readonly parentLog: Logger,
    private readonly rpc: string,
    private readonly incoming: Incoming,
    /** Of the span that serves it. */
    private readonly ownTraceparent: string | undefined,
  ) {}

  get requestId(): string {
    return (this.id ??= this.incoming.requestId);
  }

  get traceparent(): string | undefined {
    return this.ownTraceparent ?? this.incoming.traceparent;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = new AbortController();
      if (this.incoming.cancelled) controller.abort();
      else {
        this.incoming.onCancelled(() => {
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
    return this.incoming.caller;
  }
}

/** Own properties, so that a handler may spread its context into another. */
function viewOf(situation: CallSituation): CallContext {
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
