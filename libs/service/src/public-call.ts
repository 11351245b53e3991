import {
  bodyMayBeAbsent,
  parseJsonStrict,
  validate,
  validateQuery,
  type AnyRoute,
  type BodyOf,
  type JsonObject,
  type PathParams,
  type QueryOf,
} from '@parley/contract';
import { AppError, badRequest, forbidden, unauthorized } from '@parley/errors';
import type { PublicAnswer, PublicRequest } from '@parley/proto/public';
import type { Caller, CallContext, ClientOrigin } from '@parley/runtime';
import { idempotencyKeyFrom, type CreatingRequest } from './idempotency/request';
import { tenantOf } from './tenant';

/** What a handler of a public route returns. */
export interface PublicResult {
  /** JSON text that is sent unchanged, or a value to be serialized as JSON; bytes if the route declares another media type. */
  readonly body: string | Buffer | object;
  /** Strong entity tag, including quotes. Default: none; the gateway computes one from the body if the route declares it. */
  readonly etag?: string;
  /** Whether this is the stored response for an Idempotency-Key. Default: false. */
  readonly replayed?: boolean;
}

/**
 * A request of a public route in the service that owns it. It has already passed the tenant guard. Its fields are validated only when a handler accesses them,
 * because the record's id and a stored response for the Idempotency-Key take precedence over invalid fields.
 */
export class PublicCall<R extends AnyRoute = AnyRoute> {
  readonly caller: Caller;
  /** '' for an operator that specified no organization, and for hosted workers. */
  readonly organizationId: string;
  private validQuery: QueryOf<R> | undefined;
  private parsed: JsonObject | undefined;
  private validated: BodyOf<R> | undefined;

  /** @throws AppError 401 without a caller; 403 for a kind of caller that the route does not accept, and if the tenant guard refuses */
  constructor(
    readonly route: R,
    private readonly request: PublicRequest,
    readonly context: CallContext,
    private readonly insecureUrls: boolean,
  ) {
    if (context.caller === undefined) throw unauthorized();
    this.caller = context.caller;
    const { kind } = context.caller;
    if (!route.audience.some((one) => one === kind)) throw forbidden();
    this.organizationId = tenantOf(context.caller, request.organizationId);
  }

  /** The decoded parameters of the path, by name. */
  get params(): Readonly<Record<PathParams<R['path']>, string>> {
    const values = this.route.parameters.map((name, index) => [name, this.request.path[index] ?? '']);
    return Object.fromEntries(values) as Record<PathParams<R['path']>, string>;
  }

  /** The validated query, with defaults. @throws AppError BadRequestError */
  get query(): QueryOf<R> {
    return (this.validQuery ??= this.readQuery());
  }

  private readQuery(): QueryOf<R> {
    const raw: Record<string, string | string[]> = Object.create(null);
    for (const { name, value } of this.request.query) {
      const earlier = raw[name];
      // Appended in place: with a copy for each value, a name that is repeated thousands of times would take more than a second.
      if (typeof earlier === 'object') earlier.push(value);
      else raw[name] = earlier === undefined ? value : [earlier, value];
    }
    return validateQuery(this.route.query, raw) as QueryOf<R>;
  }

  /** What is wrong with the query; undefined if it is valid. */
  queryError(): AppError | undefined {
    try {
      void this.query;
      return undefined;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }

  /** The same request with an empty query, so that defaults apply. */
  withoutQuery(): PublicCall<R> {
    return new PublicCall(this.route, { ...this.request, query: [] }, this.context, this.insecureUrls);
  }

  /** The strictly parsed body, whose fields are not validated. @throws AppError BadRequestError if it is not a JSON object */
  get json(): JsonObject {
    if (this.parsed === undefined) {
      const { body } = this.request;
      this.parsed = body.length === 0 && bodyMayBeAbsent(this.route) ? {} : parseJsonStrict(body, this.route.body);
    }
    return this.parsed;
  }

  /** The validated body. @throws AppError BadRequestError naming the field */
  body(): BodyOf<R> {
    if (this.validated === undefined) {
      const { body, id } = this.route;
      if (body === undefined) throw new Error(`${id} accepts no body`);
      this.validated = validate(body, this.json, { insecureUrls: this.insecureUrls }).value as BodyOf<R>;
    }
    return this.validated;
  }

  /** The organization whose records are listed or created. @throws AppError BadRequestError for an operator that specified none */
  get namedOrganizationId(): string {
    if (this.organizationId === '') {
      throw badRequest('organization_id is required: the credential belongs to no organization');
    }
    return this.organizationId;
  }

  /** Where the request came from. */
  get client(): ClientOrigin | undefined {
    return this.context.client;
  }

  /** The If-Match header; '' if absent. */
  get ifMatch(): string {
    return this.request.ifMatch;
  }

  /** The idempotency data of this request. @param organizationId the scope of the key */
  creating(organizationId: string = this.organizationId): CreatingRequest {
    return idempotencyKeyFrom(organizationId, this.request.idempotency);
  }

  /** The response as it is transmitted to the gateway. */
  answer({ body, etag = '', replayed = false }: PublicResult): PublicAnswer {
    return {
      body: Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      etag,
      replayed,
    };
  }
}
