import type { IncomingMessage } from 'node:http';
import { validateQuery, type AnyRoute, type RawQuery, type RouteQuery } from '@parley/contract';
import { addressGroup, clientAddress, clientOrigin, type Caller } from '@parley/runtime';
import { bearerToken, type EventStreams, type Principals } from '../auth';
import type { Clients } from '../clients';
import type { Answer, RequestContext } from '../http';
import { streamedTurn } from './chat-turns';
import { checksOf, countRequest, type Check, type CheckParts } from './checks';
import { forward, type PublicClients } from './forward';
import { idempotencyOf } from './idempotency-key';
import type { LiveSound } from '../listening';
import type { RouteModule, RouteRequest } from './route';
import type { Admission, CallerRequest } from './caller-request';
import type { ServedRoute } from './route-table';

export interface RequestPipelineOptions extends CheckParts {
  readonly clients: Clients;
  readonly publicClients: PublicClients;
  readonly principals: Principals;
  readonly eventStreams: EventStreams;
  readonly liveSound: LiveSound;
  readonly trustedProxies: number;
  /** Aborted when this process leaves: streams end. */
  readonly leaving: AbortSignal;
}

/** What REST and MCP share: who calls, what a call has to pass, and how its route is served. */
export class RequestPipeline {
  /** In their order. */
  private readonly checks: readonly Check[];

  constructor(private readonly parts: RequestPipelineOptions) {
    this.checks = checksOf(parts);
  }

  get leaving(): AbortSignal {
    return this.parts.leaving;
  }

  get eventStreams(): EventStreams {
    return this.parts.eventStreams;
  }

  /** @throws AppError 401; 503 while it cannot be known */
  async identifyCaller(request: IncomingMessage, exchange: RequestContext): Promise<Caller> {
    const { principals, trustedProxies } = this.parts;
    const address = clientAddress(request, trustedProxies);
    exchange.client = clientOrigin(address, request.headers['user-agent'] ?? '');
    exchange.caller = await principals.verifyCaller(bearerToken(request), exchange, address, addressGroup(address));
    return exchange.caller;
  }

  /**
   * Counts a request against the limits of its organization; undefined where it has none, so that nothing waits.
   * @throws AppError rate_limited, as a rejection
   */
  admit(caller: Caller, setHeader: CallerRequest['setHeader']): Promise<void> | undefined {
    return countRequest(this.parts.rateLimits, caller, setHeader);
  }

  /**
   * Runs the checks from the first, or from one that is not the first; undefined where none of them waits.
   * @throws AppError whatever refuses the call; as a rejection after one that waited
   */
  pass(admission: Admission, first = 0): Promise<void> | undefined {
    for (let index = first; index < this.checks.length; index += 1) {
      const pending = this.checks[index]?.(admission);
      if (pending !== undefined) return pending.then(() => this.pass(admission, index + 1));
    }
    return undefined;
  }

  /**
   * A call from the first check to the owner's answer.
   * @throws AppError whatever refuses it
   */
  async execute(route: ServedRoute, call: CallerRequest, exchange: RequestContext): Promise<Answer> {
    const admission: Admission = { route, call, exchange, organizationId: '' };
    await this.pass(admission);
    return this.serve(admission);
  }

  /** A call that passed the checks. */
  async serve({ route, call, exchange, organizationId }: Admission): Promise<Answer> {
    const { declaration, handle, bodyCarriesKey } = route;
    const { caller, params, body, query, ifMatch, stream } = call;
    const { clients, publicClients, liveSound } = this.parts;
    const idempotency = idempotencyOf(call.idempotencyKey, declaration.id, params, body.json, bodyCarriesKey);
    const admitted = { params, body, organizationId, idempotency, ifMatch, caller, context: exchange };
    if (handle === undefined) {
      const forwarded = () => forward(declaration, { ...admitted, rawQuery: query, publicClients });
      return stream === undefined ? forwarded() : streamedTurn({ ...admitted, clients, stream }, forwarded);
    }
    return withQuery(declaration, handle, query, { ...admitted, stream, clients, liveSound });
  }
}

/**
 * Checks the query and hands over. The id comes before the fields: a read of what is not there is 404 whatever its query
 * says, so a read by id with an error in its query is made with the defaults before the error is thrown.
 */
async function withQuery(
  { method, byId, query }: AnyRoute,
  handle: RouteModule['handle'],
  rawQuery: RawQuery,
  input: Omit<RouteRequest, 'query'>,
): Promise<Answer> {
  let checked: RouteQuery;
  try {
    checked = validateQuery(query, rawQuery);
  } catch (error) {
    if (method === 'GET' && byId !== undefined) await handle({ ...input, query: validateQuery(query, {}) });
    throw error;
  }
  return handle({ ...input, query: checked });
}
