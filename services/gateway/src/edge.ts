import type { IncomingMessage, ServerResponse } from 'node:http';
import { validateQuery, type AnyRoute, type RawQuery, type RouteQuery } from '@parley/contract';
import { AppError, forbidden } from '@parley/errors';
import type { Caller, ControlStateMirror } from '@parley/runtime';
import { sendAnswer, type Answer } from './answer';
import type { Clients } from './clients';
import type { RateLimits } from './limits/rate-limits';
import { actingOrganization, requireScope } from './middleware/authorize';
import { bearerToken } from './middleware/bearer-token';
import { clientAddress } from './middleware/client-address';
import { refuseContentEncoding } from './middleware/content-encoding';
import type { Exchange } from './middleware/exchange';
import { idempotencyOf } from './middleware/idempotency-key';
import { refuseNewWork } from './middleware/maintenance';
import { organizationOfProject } from './middleware/named-project';
import { parseQuery, valuesOf } from './middleware/parse-query';
import { readBody } from './middleware/read-body';
import { isUpload, readUpload } from './middleware/read-upload';
import { RequestBody } from './middleware/request-body';
import type { Principals } from './principals/principals';
import type { ProjectOwners } from './principals/project-owners';
import { appErrorOf, methodNotAllowed, sendError } from './render-error';
import { forward, type PublicClients } from './routes/forward';
import type { RouteModule, RouteRequest, StreamRequest } from './route';
import { sendStream } from './send-stream';
import type { PathEntry, ServedRoute } from './route-table';

export interface EdgeParts {
  readonly clients: Clients;
  readonly publicClients: PublicClients;
  readonly principals: Principals;
  readonly projects: ProjectOwners;
  readonly controlState: ControlStateMirror;
  readonly rateLimits: RateLimits;
  readonly trustedProxies: number;
  /** Aborted when this process leaves: streams end. */
  readonly leaving: AbortSignal;
}

type Params = Readonly<Record<string, string>>;

/** A request of a caller who is known, whatever it came by. */
export interface RouteCall {
  readonly caller: Caller;
  readonly params: Params;
  readonly body: RequestBody;
  readonly query: RawQuery;
  /** As it was sent; undefined for none. */
  readonly idempotencyKey: string | readonly string[] | undefined;
  /** '' for none. */
  readonly ifMatch: string;
  /** Set where the client asked for server-sent events of a route that has them. */
  readonly stream?: StreamRequest | undefined;
  /** For headers that an answer carries whatever its outcome. */
  setHeader(name: string, value: string | number): void;
}

/** One known path's requests, from the method to the answer. The order of the checks is that of decisions section 1. */
export class Edge {
  constructor(private readonly parts: EdgeParts) {}

  /** Never rejects: every outcome is an answer. */
  async serve(
    entry: PathEntry,
    request: IncomingMessage,
    response: ServerResponse,
    params: Params,
    exchange: Exchange,
  ): Promise<void> {
    try {
      const route = entry.methods.get(exchange.method);
      if (route === undefined) throw methodNotAllowed(entry.allow);
      exchange.route = route.declaration.id;
      await this.answer(route, request, response, params, exchange);
    } catch (error) {
      fail(request, response, exchange, error);
    }
  }

  private async answer(
    route: ServedRoute,
    request: IncomingMessage,
    response: ServerResponse,
    params: Params,
    exchange: Exchange,
  ): Promise<void> {
    const { declaration } = route;
    const caller = await this.callerOf(request, exchange);
    refuseContentEncoding(request);
    const call: RouteCall = {
      caller,
      params,
      body: isUpload(declaration, request)
        ? RequestBody.uploaded(declaration, readUpload(request, response))
        : RequestBody.parse(declaration, await readBody(request, response)),
      query: parseQuery(request),
      idempotencyKey: request.headers['idempotency-key'],
      ifMatch: request.headers['if-match'] ?? '',
      stream: this.streamOf(route, request, response, exchange),
      setHeader: (name, value) => response.setHeader(name, value),
    };
    const { body } = call;
    const answer = await this.perform(route, call, exchange);
    if (call.stream !== undefined && answer.blocks !== undefined) {
      await sendStream(response, answer.blocks, exchange.requestId, call.stream.signal);
      return;
    }
    const ignored = body.ignored.length === 0 ? answer.ignored : [...body.ignored, ...(answer.ignored ?? [])];
    sendAnswer(response, declaration, { ...answer, ignored }, exchange.requestId);
  }

  /** Server-sent events, where the route has them and the client asks for them. */
  private streamOf(
    { declaration }: ServedRoute,
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
  ): StreamRequest | undefined {
    if (!declaration.eventStream || !acceptsEventStream(request)) return undefined;
    const left = new AbortController();
    response.once('close', () => left.abort());
    const lastEventId = request.headers['last-event-id'];
    return {
      lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined,
      signal: AbortSignal.any([left.signal, this.parts.leaving]),
      callerNow: async () => {
        const caller = await this.callerOf(request, exchange);
        requireScope(declaration, caller);
        return caller;
      },
    };
  }

  /** @throws AppError 401; 503 while nobody can say */
  async callerOf(request: IncomingMessage, exchange: Exchange): Promise<Caller> {
    const { principals, trustedProxies } = this.parts;
    exchange.caller = await principals.callerOf(bearerToken(request), exchange, clientAddress(request, trustedProxies));
    return exchange.caller;
  }

  /**
   * What a known caller asks of a route, from the maintenance switch to the owner's answer: REST and MCP alike.
   * @throws AppError whatever refuses it
   */
  async perform(route: ServedRoute, call: RouteCall, exchange: Exchange): Promise<Answer> {
    const { declaration } = route;
    const { caller, params, body, query } = call;
    const { controlState, rateLimits, clients, publicClients } = this.parts;
    refuseNewWork(declaration, body.json, controlState);
    requireScope(declaration, caller);
    const named = actingOrganization(caller, params, query, body.json);
    if (rateLimits.has(caller.organizationId)) {
      await rateLimits.admit(caller.organizationId, (headers) => {
        for (const [name, value] of Object.entries(headers)) call.setHeader(name, value);
      });
    }
    await this.refuseForeignProject(route, body, named, exchange);
    const organizationId = await this.resolveProject(route, query, body, named, exchange);
    const admitted = {
      params,
      body,
      organizationId,
      idempotency: idempotencyOf(call.idempotencyKey, declaration.id, params, body.json, route.bodyCarriesKey),
      ifMatch: call.ifMatch,
      caller,
      context: exchange,
    };
    if (route.handle === undefined) return forward(declaration, { ...admitted, rawQuery: query, publicClients });
    return handle(route.declaration, route.handle, query, { ...admitted, stream: call.stream, clients });
  }

  /**
   * A write by id re-homes nothing: a project of another organization, or of none, is 403 (decisions section 1, foreign ids). Whether one of
   * the own organization is the record's is for its owner to say.
   */
  private async refuseForeignProject(
    route: ServedRoute,
    body: RequestBody,
    organizationId: string,
    exchange: Exchange,
  ): Promise<void> {
    const project = route.bodyRepeatsProject ? body.json.project_id : undefined;
    if (organizationId === '' || typeof project !== 'string' || project === '') return;
    await organizationOfProject(this.parts.projects, project, organizationId, exchange).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'NotFoundError') throw forbidden();
      throw error;
    });
  }

  /** A project that a new resource or a filter names must be the organization's own; for an operator who named none it decides. */
  private async resolveProject(
    route: ServedRoute,
    query: RawQuery,
    body: RequestBody,
    organizationId: string,
    exchange: Exchange,
  ): Promise<string> {
    const inBody = route.bodyNamesProject ? body.json.project_id : undefined;
    const inQuery = route.queryNamesProject ? valuesOf(query, 'project_id') : [];
    let owner = organizationId;
    for (const project of [inBody, ...inQuery]) {
      if (typeof project !== 'string' || project === '') continue;
      owner = await organizationOfProject(this.parts.projects, project, owner, exchange);
    }
    return owner;
  }
}

/**
 * Checks the query and hands over. The id is judged before the fields: a read of what is not there is 404 whatever its query
 * says, so a read by id with a fault in its query is made with the defaults before the fault is answered.
 */
async function handle(
  { method, byId, query }: AnyRoute,
  handler: RouteModule['handle'],
  rawQuery: RawQuery,
  input: Omit<RouteRequest, 'query'>,
): Promise<Answer> {
  let checked: RouteQuery;
  try {
    checked = validateQuery(query, rawQuery);
  } catch (fault) {
    if (method === 'GET' && byId !== undefined) await handler({ ...input, query: validateQuery(query, {}) });
    throw fault;
  }
  return handler({ ...input, query: checked });
}

const acceptsEventStream = ({ headers }: IncomingMessage): boolean =>
  (headers.accept ?? '').split(',').some((range) => range.split(';')[0]?.trim().toLowerCase() === 'text/event-stream');

/** Answers with the error; what the client must not see goes to the log line. */
export function fail(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  thrown: unknown,
  close = false,
): void {
  const error = appErrorOf(thrown);
  if (error.code === 'internal_error') exchange.fault = error.cause ?? error;
  // A body that was announced but not invited would be taken for the next request.
  const uninvited = request.headers.expect !== undefined && !request.complete;
  sendError(response, error, exchange.requestId, close || uninvited);
}
