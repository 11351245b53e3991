import { routes, type AnyRoute, type RouteService } from '@parley/contract';
import { internal } from '@parley/errors';
import type { PublicAnswer, PublicRequest } from '@parley/proto/public';
import { publicGrpcService, type CallContext, type GrpcService } from '@parley/runtime';
import { PublicCall, type PublicResult } from './public-call';

type Routes = typeof routes;

/** The declared routes that the gateway forwards to a service, by name. */
export type RoutesOf<Service extends RouteService> = {
  [Name in keyof Routes as Routes[Name]['service'] extends Service ? Name : never]: Routes[Name];
};

/** One handler per route of a service, whose request is typed by the route's declaration. A missing or an additional handler is a type error. */
export type PublicHandlers<Service extends RouteService> = {
  readonly [Name in keyof RoutesOf<Service>]: (
    call: PublicCall<Extract<RoutesOf<Service>[Name], AnyRoute>>,
  ) => Promise<PublicResult>;
};

/** Groups the handlers of some routes of a service, each typed by its route. A handler without a route is a type error. */
export const handlerGroup =
  <Service extends RouteService>() =>
  <Handlers extends Partial<PublicHandlers<Service>>>(
    handlers: Handlers & Readonly<Record<Exclude<keyof Handlers, keyof PublicHandlers<Service>>, never>>,
  ): Handlers =>
    handlers;

export interface PublicServiceOptions {
  /** Whether http and ws addresses pass validation, as in development. Default: false. */
  readonly insecureUrls?: boolean;
}

type AnyHandler = (call: PublicCall) => Promise<PublicResult>;

/**
 * The public routes of a service, for `ServiceParts.grpc`. Each request passes the tenant guard before its handler runs.
 * @throws Error at startup if a declared route of the service has no handler
 */
export function publicService<Service extends RouteService>(
  service: Service,
  handlers: PublicHandlers<Service>,
  { insecureUrls = false }: PublicServiceOptions = {},
): GrpcService {
  const table = new Map<string, { readonly route: AnyRoute; readonly handle: AnyHandler }>();
  for (const [name, route] of Object.entries<AnyRoute>(routes)) {
    if (route.service !== service) continue;
    const handle = (handlers as Readonly<Record<string, AnyHandler | undefined>>)[name];
    if (handle === undefined) throw new Error(`${service} has no handler for ${route.id}`);
    table.set(route.id, { route, handle });
  }
  return publicGrpcService(async (request: PublicRequest, context: CallContext): Promise<PublicAnswer> => {
    const entry = table.get(request.route);
    if (entry === undefined) throw internal(new Error(`${service} does not serve ${request.route}`));
    const call = new PublicCall(entry.route, request, context, insecureUrls);
    return call.answer(await runHandler(call, entry.handle));
  });
}

/**
 * Runs a handler. Reading an absent record must be 404 even if the query is invalid. Therefore a read by id with an invalid query is first performed with the
 * default query, which may throw the 404, and then the validation error is thrown.
 */
async function runHandler(call: PublicCall, handle: AnyHandler): Promise<PublicResult> {
  const { method, byId } = call.route;
  const refusal = call.queryError();
  if (refusal === undefined) return handle(call);
  if (method === 'GET' && byId !== undefined) await handle(call.withoutQuery());
  throw refusal;
}
