import { AppError, internal } from '@parley/errors';
import { requestLogger, type Logger } from '../log';
import type { Access } from '../identity/access';
import { callerOf } from '../identity/guard';
import type { CallerVerifier } from '../identity/signed-callers';
import type { RpcObserver } from '../metrics';
import { activeTracing } from '../tracing/tracing';
import type { Caller, CallContext } from './call-context';
import type { Incoming } from './served-method';

/** What a server provides for handling requests. */
export interface ServingEnvironment {
  log: Logger;
  observe?: RpcObserver;
  /** Verifies the callers of requests. */
  callers: CallerVerifier;
}

/**
 * Runs the work of one request with its context, span, metric and log lines. Never rejects: an AppError of the work is returned unchanged; any other error is
 * logged and returned as `internal_error` 500. The work does not run if `access` does not permit the peer or the caller.
 * @param rpc the name of the request in metrics, spans and logs
 */
export async function serveRequest<T>(
  { log, observe, callers }: ServingEnvironment,
  rpc: string,
  access: Access,
  incoming: Incoming,
  work: (context: CallContext) => Promise<T>,
): Promise<T | AppError> {
  const started = performance.now();
  const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': rpc };
  const span = activeTracing()?.startSpan(rpc, { kind: 'server', parent: incoming.traceparent, attributes });
  const situation = new RequestSituation(log, rpc, incoming, span?.traceparent);
  const context = contextOf(situation);
  let outcome: T | AppError;
  try {
    situation.caller = callerOf(access, incoming.peer, incoming.callerText, callers);
    outcome = await (span === undefined ? work(context) : span.run(() => work(context)));
  } catch (error) {
    outcome = error instanceof AppError ? error : internal(error);
    // Only errors of the platform are logged, not those caused by clients.
    if (outcome.code === 'internal_error') context.log.error({ err: outcome }, 'rpc failed');
  }
  situation.answered = true;
  const failure = outcome instanceof AppError ? outcome : undefined;
  span?.end(failure === undefined ? undefined : { error: failure });
  const code = failure?.code ?? 'OK';
  const ms = performance.now() - started;
  observe?.(rpc, code, ms / 1000);
  // The gateway writes the log line of the request; this one is only for debugging.
  if (log.isLevelEnabled('debug')) context.log.debug({ code, ms }, 'rpc');
  return outcome;
}

/** Creates the parts of a request's context on first use. */
class RequestSituation {
  /** Set when the response was sent, because the library reports the end of a completed call as a cancellation too. */
  answered = false;
  /** Verified before the work runs. */
  caller: Caller | undefined;
  private controller: AbortController | undefined;
  private logger: Logger | undefined;
  private id: string | undefined;

  constructor(
    private readonly parentLog: Logger,
    private readonly rpc: string,
    private readonly incoming: Incoming,
    /** The traceparent of this request's server span. */
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

  get client() {
    return this.incoming.client;
  }
}

/** The properties are own properties, so that a handler can spread its context into another object. */
function contextOf(situation: RequestSituation): CallContext {
  return {
    get caller() {
      return situation.caller;
    },
    get client() {
      return situation.client;
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
