import type { AnyRoute, RawQuery, RouteService } from '@parley/contract';
import type { PublicClient } from '@parley/runtime';
import type { Answer } from '../http';
import type { RouteRequest } from './route';

/** The clients for the public routes of each service. */
export type PublicClients = Readonly<Record<RouteService, PublicClient>>;

/** A request to forward. The service that owns the route validates the query. */
export type ForwardedRequest = Omit<RouteRequest, 'query' | 'stream' | 'clients' | 'liveSound'> & {
  readonly rawQuery: RawQuery;
  readonly publicClients: PublicClients;
};

/** The timeout of a long-polling request: longer than any wait, and within the maximum deadline of a call between services. */
const waitingDeadlineMs = 30_000;

/** Forwards a request unchanged to the service that owns its route and returns the response. */
export async function forward(declaration: AnyRoute, request: ForwardedRequest): Promise<Answer> {
  const { service, id, method, parameters, waits } = declaration;
  if (service === undefined) throw new Error(`${id} is not forwarded`);
  const { params, rawQuery, body, organizationId, idempotency, ifMatch, context, publicClients } = request;
  const answer = await publicClients[service].call(
    {
      route: id,
      organizationId,
      path: parameters.map((name) => params[name] ?? ''),
      query: [...parametersOf(rawQuery)],
      body: declaration.body === undefined ? emptyBody : body.document().json,
      idempotency: idempotency.key === '' ? undefined : idempotency,
      ifMatch,
    },
    context,
    { idempotent: method === 'GET', ...(waits ? { alone: true, deadlineMs: waitingDeadlineMs } : {}) },
  );
  return { body: answer.body, etag: answer.etag, replayed: answer.replayed };
}

const emptyBody = Buffer.alloc(0);

function* parametersOf(query: RawQuery): Generator<{ name: string; value: string }> {
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values ?? []].flat()) yield { name, value };
  }
}
