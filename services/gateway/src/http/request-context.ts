import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Caller, ClientOrigin, OutgoingContext } from '@parley/runtime';

/** The context of one request: what its log line shows, and what every call to a service takes along. */
export class RequestContext implements OutgoingContext {
  readonly requestId = randomUUID();
  caller?: Caller;
  client?: ClientOrigin;
  /** Operation id of the declared route; empty while none is found. */
  route = '';
  /** The cause of an internal_error, for the log alone. */
  error?: unknown;
  /** An error ends the connection as well. */
  closeOnError = false;
  /** The connection has become a websocket. */
  switched = false;
  private disconnect?: AbortController;
  private gone = false;

  constructor(
    readonly method: string,
    /** As sent, without the query. */
    readonly path: string,
    readonly startedMs: number,
    readonly traceparent: string,
  ) {}

  /** Aborted when the client went away before it had its answer; made for those who ask. */
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

/** A response that carries its exchange: a look-up in a weak map costs more, on every request. */
interface Carrier {
  [requestContextKey]?: RequestContext;
}

export function attachRequestContext(response: ServerResponse & Carrier, exchange: RequestContext): void {
  response[requestContextKey] = exchange;
}

/** Undefined before the request reached the application. */
export function startedRequestContext(response: ServerResponse & Carrier): RequestContext | undefined {
  return response[requestContextKey];
}

/** Of a request that a handler of the application has. */
export function requestContextOf(response: ServerResponse): RequestContext {
  const exchange = startedRequestContext(response);
  if (exchange === undefined) throw new Error('the response carries no exchange');
  return exchange;
}
