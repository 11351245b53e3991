import type { AnyRoute, PathParams, QueryOf } from '@parley/contract';
import type { Idempotency } from '@parley/proto/common';
import type { Caller, OutgoingContext } from '@parley/runtime';
import type { Answer, RequestBody } from '../http';
import type { Clients } from '../clients';
import type { LiveSound } from '../listening';

/** What a stream needs besides its request. */
export interface StreamRequest {
  /** The Last-Event-ID header. */
  readonly lastEventId: string | undefined;
  /** Aborted when the client disconnects or this process stops. */
  readonly signal: AbortSignal;
  /** Counts the stream until `signal` is aborted. @throws AppError rate_limited if its key has reached its maximum */
  admit(caller: Caller): Promise<void>;
  /** Revalidates the caller. @throws AppError if its key is no longer valid for this route */
  callerNow(): Promise<Caller>;
}

/** The input of a route: all checks have passed, and it only calls one RPC and renders the response. */
export interface RouteRequest<R extends AnyRoute = AnyRoute> {
  /** Values of the path, decoded. */
  readonly params: Readonly<Record<PathParams<R['path']>, string>>;
  readonly query: QueryOf<R>;
  readonly body: RequestBody;
  /** The caller's own or the one named by an operator; '' for an operator who named none and for hosted workers. */
  readonly organizationId: string;
  /** The idempotency of the request; the key is empty if the client sent none. */
  readonly idempotency: Idempotency;
  /** The If-Match header as sent, '' for none. */
  readonly ifMatch: string;
  /** Set if the route supports server-sent events, or is a websocket, and the client requested it. */
  readonly stream?: StreamRequest;
  readonly caller: Caller;
  readonly clients: Clients;
  /** For calls with listeners. */
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
