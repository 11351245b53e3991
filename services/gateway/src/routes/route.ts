import type { AnyRoute, PathParams, QueryOf } from '@parley/contract';
import type { Idempotency } from '@parley/proto/common';
import type { Caller, OutgoingContext } from '@parley/runtime';
import type { Answer, RequestBody } from '../http';
import type { Clients } from '../clients';
import type { LiveSound } from '../listening';

/** What a streaming route needs in addition to its request. */
export interface StreamRequest {
  /** The Last-Event-ID header. */
  readonly lastEventId: string | undefined;
  /** Aborted when the client disconnects or this process stops. */
  readonly signal: AbortSignal;
  /** Counts the stream until `signal` is aborted. @throws AppError rate_limited if the root key or the organization has reached its maximum of streams */
  admit(caller: Caller): Promise<void>;
  /** Verifies the caller again. @throws AppError if the key is no longer valid for this route */
  callerNow(): Promise<Caller>;
}

/** The input of a route's handler. All checks have passed; the handler only calls an RPC and renders the response. */
export interface RouteRequest<R extends AnyRoute = AnyRoute> {
  /** The decoded parameters of the path. */
  readonly params: Readonly<Record<PathParams<R['path']>, string>>;
  readonly query: QueryOf<R>;
  readonly body: RequestBody;
  /** The caller's own organization, or the one specified by an operator; '' for an operator that specified none, and for hosted workers. */
  readonly organizationId: string;
  /** The idempotency data of the request; the key is empty if the client sent none. */
  readonly idempotency: Idempotency;
  /** The If-Match header as sent; '' if absent. */
  readonly ifMatch: string;
  /** Set if the route supports server-sent events or a WebSocket and the client requested it. */
  readonly stream?: StreamRequest;
  readonly caller: Caller;
  readonly clients: Clients;
  /** The audio of calls for listeners. */
  readonly liveSound: LiveSound;
  readonly context: OutgoingContext;
}

/** A declared route with its handler; the default export of each file under routes/. */
export interface RouteModule {
  readonly declaration: AnyRoute;
  handle(request: RouteRequest): Promise<Answer>;
}

export const route = <R extends AnyRoute>(
  declaration: R,
  handle: (request: RouteRequest<R>) => Promise<Answer>,
): RouteModule => ({ declaration, handle });
