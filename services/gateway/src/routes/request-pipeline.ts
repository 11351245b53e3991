import type { IncomingMessage } from 'node:http';
import { validateQuery, type AnyRoute, type RawQuery, type RouteQuery } from '@parley/contract';
import {
  addressGroup,
  clientAddress,
  clientOrigin,
  type BodyAccount,
  type BodyBudget,
  type Caller,
} from '@parley/runtime';
import { bearerToken, rootKeyOf, type EventStreams, type Principals } from '../auth';
import type { Clients } from '../clients';
import type { Answer, RequestContext } from '../http';
import { streamedTurn } from './chat-turns';
import { checksOf, countRequest, type Check, type CheckParts, type Checks } from './checks';
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
  readonly bodyBudget: BodyBudget;
  /** Aborted when this process stops, which ends streams. */
  readonly leaving: AbortSignal;
}

/** The steps that REST and MCP share: authentication, the checks of a request, and running its route. */
export class RequestPipeline {
  private readonly checks: Checks;

  constructor(private readonly parts: RequestPipelineOptions) {
    this.checks = checksOf(parts);
  }

  get leaving(): AbortSignal {
    return this.parts.leaving;
  }

  get eventStreams(): EventStreams {
    return this.parts.eventStreams;
  }

  /** @throws AppError 401 for an invalid key; 503 while auth is unavailable */
  async identifyCaller(request: IncomingMessage, exchange: RequestContext): Promise<Caller> {
    const { principals, trustedProxies } = this.parts;
    const address = clientAddress(request, trustedProxies);
    exchange.client = clientOrigin(address, request.headers['user-agent'] ?? '');
    exchange.caller = await principals.verifyCaller(bearerToken(request), exchange, address, addressGroup(address));
    return exchange.caller;
  }

  /**
   * Counts a request against its rate limits; undefined if there are none, so that the request does not wait.
   * @throws AppError rate_limited, as a rejection
   */
  admit(caller: Caller, setHeader: CallerRequest['setHeader']): Promise<void> | undefined {
    return countRequest(this.parts.rateLimits, caller, setHeader);
  }

  /** The account for the body of a request whose caller is known; without a key, that of its address. */
  bodyAccount({ client, caller }: Pick<RequestContext, 'client' | 'caller'>): BodyAccount {
    const address = addressGroup(client?.address ?? '');
    return this.parts.bodyBudget.open({ address, keyId: caller && rootKeyOf(caller) });
  }

  /**
   * Runs the checks that need no body; undefined if all of them are synchronous.
   * @throws AppError if the request is refused; as a rejection after an asynchronous check
   */
  passBeforeBody(admission: Admission): Promise<void> | undefined {
    return runChecks(this.checks.beforeBody, admission);
  }

  /** The same for the checks that need the body. */
  passAfterBody(admission: Admission): Promise<void> | undefined {
    return runChecks(this.checks.afterBody, admission);
  }

  /**
   * Runs all checks of a request and then its route.
   * @throws AppError if the request is refused
   */
  async execute(route: ServedRoute, call: CallerRequest, exchange: RequestContext): Promise<Answer> {
    const admission: Admission = { route, call, exchange, organizationId: '' };
    await this.passBeforeBody(admission);
    await this.passAfterBody(admission);
    return this.serve(admission);
  }

  /** Runs the route of a request that passed the checks. */
  async serve({ route, call, exchange, organizationId }: Admission): Promise<Answer> {
    const { declaration, handle, bodyCarriesKey } = route;
    const { caller, params, body, query, ifMatch, stream } = call;
    const { clients, publicClients, liveSound } = this.parts;
    const idempotency = idempotencyOf(call.idempotencyKey, declaration.id, params, body.json, bodyCarriesKey);
    // The service gets the bytes. What was parsed here takes up to twenty times as much memory, so it is not kept while the service works.
    body.forget();
    const admitted = { params, body, organizationId, idempotency, ifMatch, caller, context: exchange };
    if (handle === undefined) {
      const forwarded = () => forward(declaration, { ...admitted, rawQuery: query, publicClients });
      return stream === undefined ? forwarded() : streamedTurn({ ...admitted, clients, stream }, forwarded);
    }
    return withQuery(declaration, handle, query, { ...admitted, stream, clients, liveSound });
  }
}

function runChecks(checks: readonly Check[], admission: Admission, first = 0): Promise<void> | undefined {
  for (let index = first; index < checks.length; index += 1) {
    const pending = checks[index]?.(admission);
    if (pending !== undefined) return pending.then(() => runChecks(checks, admission, index + 1));
  }
  return undefined;
}

/**
 * Validates the query and runs the route. Reading an absent record must be 404 even if the query is invalid. Therefore a read by id with an invalid query is
 * first performed with the default query, and then the validation error is thrown.
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
