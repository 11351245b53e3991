import { errorCatalogue, type ErrorCode } from '@parley/errors';
import { limits } from '../limits';
import { RouteQuery } from '../objects/page';
import { factsOf, type Class } from '../rules/class-facts';
import { deprecatedFieldsOf } from '../rules/deprecated-fields';
import type { Scope } from '../scopes';
import type {
  AnyRoute,
  Audience,
  AuditAction,
  Foreign,
  Media,
  Method,
  NewWork,
  Route,
  RouteService,
  ToolText,
  Upload,
} from './route';

/**
 * A route that writes has to state whether it is new work, and the action in the audit log: the compiler refuses a declaration without them, and one of a read
 * with them. Changes of the configuration, secrets and actions on calls are recorded; `audit: false` has a comment that says why nothing is.
 */
type WriteDecisions<OfMethod extends Method> = OfMethod extends 'GET'
  ? { readonly newWork?: never; readonly audit?: never }
  : { readonly newWork: NewWork; readonly audit: AuditAction | readonly AuditAction[] | false };

/** The service that owns a route is the one that the gateway forwards its requests to. Of any other route it has a handler itself, which calls an RPC. */
type Handler<Service> = Service extends undefined ? { readonly rpc: string } : { readonly rpc?: never };

interface Declaration<Body extends object, Query extends RouteQuery, Answer extends object> {
  readonly summary: string;
  /** The text of the route's MCP tool, and its name where the operation's own is not suitable. A test determines which routes need one. */
  readonly tool?: string | ToolText;
  readonly scope: Scope | null;
  /** Default: none. */
  readonly alsoScopes?: readonly Scope[];
  /** Default: none. */
  readonly orScope?: Scope;
  readonly answer: Class<Answer>;
  /** Default: JSON. */
  readonly media?: Media;
  /** Default: false. */
  readonly alsoJson?: boolean;
  /** Default: customer and operator. */
  readonly audience?: readonly Audience[];
  readonly body?: Class<Body>;
  /** Default: only organization_id. */
  readonly query?: Class<Query>;
  /** A POST that creates a record: it returns 201 and accepts an Idempotency-Key. */
  readonly creates?: boolean;
  /** The created record represents work in progress, so the status is 202 instead of 201. */
  readonly accepted?: boolean;
  /** Default: `read-404` or `write-404` if the path contains an id, otherwise `none`. */
  readonly foreign?: Foreign;
  /** Default: true for reads by id. */
  readonly etag?: boolean;
  readonly conditional?: boolean;
  /** Default: false. */
  readonly eventStream?: boolean;
  /** Default: false. */
  readonly webSocket?: boolean;
  /** Default: false. */
  readonly waits?: boolean;
  /** Default: true. */
  readonly mcp?: boolean;
  /** Default: false. */
  readonly mints?: boolean;
  /** Default: none. */
  readonly upload?: Upload | readonly Upload[];
  /** Default: that of JSON bodies; for a route without fields, that of small ones. */
  readonly bodyBytes?: number;
  /** Default: false. */
  readonly ranged?: boolean;
  /** Errors in addition to those implied by the rest of the declaration. */
  readonly errors?: readonly ErrorCode[];
}

/** Declares routes of a service: method, path, and what does not follow from them. Applies the defaults; errors implied by a declaration need not be listed. */
export const routesOf =
  <const Service extends RouteService | undefined>(service: Service) =>
  <
    const OfMethod extends Method,
    const Path extends string,
    Answer extends object,
    Body extends object = never,
    Query extends RouteQuery = RouteQuery,
  >(
    method: OfMethod,
    path: Path,
    declaration: Declaration<Body, Query, Answer> & WriteDecisions<OfMethod> & Handler<Service>,
  ): Unnamed<Route<Path, Body, Query, Answer, Service>> => {
    const { summary, tool, scope, rpc, body } = declaration;
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const [byId] = parameters;
    const foreign = declaration.foreign ?? (byId === undefined ? 'none' : method === 'GET' ? 'read-404' : 'write-404');
    const creates = declaration.creates ?? false;
    const newWork = declaration.newWork ?? false;
    const conditional = declaration.conditional ?? false;
    const filled = {
      method,
      path,
      parameters,
      summary,
      tool: typeof tool === 'string' ? { description: tool } : tool,
      scope,
      rpc,
      service,
      waits: declaration.waits ?? false,
      mints: declaration.mints ?? false,
      alsoScopes: declaration.alsoScopes ?? [],
      orScope: declaration.orScope,
      body,
      byId,
      foreign,
      creates,
      newWork,
      audit: declaration.audit === undefined || declaration.audit === false ? [] : [declaration.audit].flat(),
      conditional,
      eventStream: declaration.eventStream ?? false,
      webSocket: declaration.webSocket ?? false,
      upload: declaration.upload === undefined ? undefined : [declaration.upload].flat(),
      bodyBytes: declaration.bodyBytes ?? (body === undefined ? limits.smallBodyBytes : limits.bodyBytes),
      ranged: declaration.ranged ?? false,
      mcp: declaration.mcp ?? true,
      // If the query is omitted, it is RouteQuery, the default of the type parameter.
      query: declaration.query ?? (RouteQuery as Class<Query>),
      answer: {
        status: successOf(creates, declaration.accepted ?? false),
        class: declaration.answer,
        media: declaration.media ?? ('application/json' as const),
        alsoJson: declaration.alsoJson ?? false,
      },
      audience: declaration.audience ?? (['customer', 'operator'] as const),
      etag: declaration.etag ?? (conditional || (method === 'GET' && byId !== undefined)),
    };
    let deprecated: readonly string[] | undefined;
    return {
      ...filled,
      errors: errorsOf(filled, declaration.errors ?? []),
      // Found when it is first asked for: the plans of all answers are a third of the time that a process needs to load this library.
      get deprecatedFields() {
        return (deprecated ??= deprecatedFieldsOf(declaration.answer));
      },
    };
  };

/** Declares routes that the gateway answers itself. */
export const gatewayRoute = routesOf(undefined);

type Unnamed<One extends AnyRoute> = Omit<One, 'id'>;

/** Routes by name, each with its operation id: the name in kebab case. */
export function named<const Routes extends Readonly<Record<string, Unnamed<AnyRoute>>>>(routes: Routes) {
  for (const [name, route] of Object.entries(routes))
    Object.assign(route, { id: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) });
  return routes as { readonly [Name in keyof Routes]: Routes[Name] & Pick<AnyRoute, 'id'> };
}

const successOf = (creates: boolean, accepted: boolean): 200 | 201 | 202 => (accepted ? 202 : creates ? 201 : 200);

interface ErrorSource {
  readonly query: Class;
  readonly body: Class | undefined;
  readonly byId: string | undefined;
  readonly creates: boolean;
  readonly conditional: boolean;
  readonly newWork: NewWork;
}

function errorsOf(source: ErrorSource, extra: readonly ErrorCode[]): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    'BadRequestError',
    'UnauthorizedError',
    'ForbiddenError',
    'internal_error',
    'overloaded',
    'rate_limited',
    ...extra,
  ]);
  codes.add('PayloadTooLargeError').add('UnsupportedMediaTypeError');
  // A specified project is looked up before the list is read, so it may not be found.
  if (source.byId !== undefined || factsOf(source.query).fields.has('project_id')) codes.add('NotFoundError');
  if (source.creates || source.conditional) codes.add('ConflictError');
  if (source.newWork !== false) codes.add('platform_maintenance');
  return [...codes].sort((a, b) => errorCatalogue[a].status - errorCatalogue[b].status || a.localeCompare(b));
}
