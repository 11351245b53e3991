import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Caller, ClientOrigin, LateRefusals, OutgoingContext } from '@parley/runtime';

/** The context of one request: the fields of its log line, and the metadata of every call to a service. */
export class RequestContext implements OutgoingContext {
  readonly requestId = randomUUID();
  caller?: Caller;
  client?: ClientOrigin;
  /** Operation id of the declared route; empty before the route is found. */
  route = '';
  /** The cause of an internal_error, which is only logged. */
  error?: unknown;
  /** Whether an error response also closes the connection. */
  closeOnError = false;
  /** Whether the connection has become a WebSocket. */
  switched = false;
  private disconnect?: AbortController;
  private gone = false;

  constructor(
    readonly method: string,
    /** The path as sent, without the query. */
    readonly path: string,
    readonly startedMs: number,
    readonly traceparent: string,
    readonly refusals: LateRefusals,
  ) {}

  /** Aborted if the client disconnects before the response; created on demand. */
  get signal(): AbortSignal {
    this.disconnect ??= new AbortController();
    if (this.gone) this.disconnect.abort();
    return this.disconnect.signal;
  }

  clientLeft(): void {
    this.gone = true;
    this.disconnect?.abort();
  }
}

const requestContextKey = Symbol('exchange');

/** The context is stored on the response, because a WeakMap look-up per request costs more. */
interface Carrier {
  [requestContextKey]?: RequestContext;
}

export function attachRequestContext(response: ServerResponse & Carrier, exchange: RequestContext): void {
  response[requestContextKey] = exchange;
}

/** Undefined before the request has reached the application. */
export function startedRequestContext(response: ServerResponse & Carrier): RequestContext | undefined {
  return response[requestContextKey];
}

/** The context of a request that reached a handler of the application. */
export function requestContextOf(response: ServerResponse): RequestContext {
  const exchange = startedRequestContext(response);
  if (exchange === undefined) throw new Error('the response has no request context');
  return exchange;
}
