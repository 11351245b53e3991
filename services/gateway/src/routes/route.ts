import type { AnyRoute, PathParams, QueryOf } from '@parley/contract';
import type { Idempotency } from '@parley/proto/common';
import type { Caller, OutgoingContext } from '@parley/runtime';
import type { Answer, RequestBody } from '../http';
import type { Clients } from '../clients';
import type { LiveSound } from '../listening';

/** What a stream needs next to the request that began it. */
export interface StreamRequest {
  /** The Last-Event-ID header. */
  readonly lastEventId: string | undefined;
  /** Aborted when the client leaves or this process does. */
  readonly signal: AbortSignal;
  /** Counts the stream until `signal` is aborted. @throws AppError rate_limited where its key has as many as it may */
  admit(caller: Caller): Promise<void>;
  /** The caller as it is now. @throws AppError when its key is no longer good for this route */
  callerNow(): Promise<Caller>;
}

/** What a route is given: admitted, so that nothing remains but to call one RPC and to render its answer. */
export interface RouteRequest<R extends AnyRoute = AnyRoute> {
  /** Values of the path, decoded. */
  readonly params: Readonly<Record<PathParams<R['path']>, string>>;
  readonly query: QueryOf<R>;
  readonly body: RequestBody;
  /** The caller's own or the one an operator named; '' for an operator who named none and for hosted workers. */
  readonly organizationId: string;
  /** The idempotency of the request; the key is empty where the client sent none. */
  readonly idempotency: Idempotency;
  /** The If-Match header as sent, '' for none. */
  readonly ifMatch: string;
  /** Set where the route can answer with server-sent events, or is a websocket, and the client asked for it. */
  readonly stream?: StreamRequest;
  readonly caller: Caller;
  readonly clients: Clients;
  /** Of calls that someone listens in to. */
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
