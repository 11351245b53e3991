import type { ErrorCode } from '@parley/errors';
import type { RouteQuery } from '../objects/page';
import type { Class } from '../rules/class-facts';
import type { Scope } from '../scopes';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Kinds of principals: a customer's key, an operator's, a hosted worker's (no organization), a media gateway's token. */
export type Audience = 'customer' | 'operator' | 'hosted' | 'hosted_simulation' | 'gateway';

/**
 * How a foreign id answers (docs/reference/requests.md): a read 404; a write 403 on the four that the interface shows, 404 on all others;
 * `none` where the path names no record. `organization-403`: the path names an organization, any other than the caller's own is 403.
 */
export type Foreign = 'read-404' | 'write-403' | 'write-404' | 'organization-403' | 'none';

/** What a model reads of a tool. */
export interface ToolText {
  /** Where the operation's own name does not say it best. */
  readonly name?: string;
  readonly description: string;
}

/** Names in braces of a path; any name where the path is not known. */
export type PathParams<Path extends string> = string extends Path
  ? string
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | PathParams<Rest>
    : never;

/** What every route says of itself; middleware, OpenAPI, MCP tools, scope and isolation tests read it. */
interface RouteFacts<Path extends string> {
  /** The operation id, kebab-case; also scopes its idempotency keys. */
  readonly id: string;
  readonly method: Method;
  /** With path parameters in braces. */
  readonly path: Path;
  readonly summary: string;
  /** The words of its tool; undefined where the MCP interface has none for it. */
  readonly tool: ToolText | undefined;
  /** The scope it needs; null for none beyond a valid credential. */
  readonly scope: Scope | null;
  /** Scopes that it needs in addition, because what it makes grants what they grant. */
  readonly alsoScopes: readonly Scope[];
  /** One that stands for `scope`, of principals that do nothing else; undefined: none does. */
  readonly orScope: Scope | undefined;
  readonly audience: readonly Audience[];
  /** `<service>.<method>` of the typed RPC behind a route that the gateway serves by a handler of its own; undefined for those that it forwards. */
  readonly rpc: string | undefined;
  /** Refused with 503 platform_maintenance during a window (7.3). `unless-inactive-only`: not when the body is `{status: "inactive"}`. */
  readonly newWork: boolean | 'unless-inactive-only';
  /** Takes an Idempotency-Key. */
  readonly creates: boolean;
  readonly foreign: Foreign;
  /** Names of the path's parameters, in their order. */
  readonly parameters: readonly string[];
  /** The path parameter that is the record's id. */
  readonly byId: string | undefined;
  /** A single-resource read or write whose answer carries a strong ETag. */
  readonly etag: boolean;
  /** Also answered as server-sent events, to who accepts `text/event-stream`; a reader goes on by Last-Event-ID. */
  readonly eventStream: boolean;
  /** A success switches the connection to a websocket; `answer` is its first message, and the answer to a request without an upgrade. */
  readonly webSocket: boolean;
  /** The media types that it takes next to JSON, or bytes in place of a body where it has no class of one; read as it comes. */
  readonly upload: readonly Upload[] | undefined;
  /** Its answer is bytes that are read in ranges, also with HEAD. */
  readonly ranged: boolean;
  /** Its requests wait for something, at most 25 s: they travel alone, and a client that leaves cancels the work. */
  readonly waits: boolean;
  /** Mints or revokes a credential: counted against the limit of the key that asks. */
  readonly mints: boolean;
  /** Accepts If-Match. */
  readonly conditional: boolean;
  /** May be an MCP tool, where its resource is one of those that have tools. False for what a person has to decide, what exists to show a secret and what other tools do. */
  readonly mcp: boolean;
  /** Stands in the OpenAPI document. False for what the platform's own runners ask, and for what it has no room for. */
  readonly documented: boolean;
  /** Names of deprecated fields that its answer can carry; one of them in it brings a `Deprecation` header. */
  readonly deprecatedFields: readonly string[];
  /** Error codes that it can answer, in order of status. */
  readonly errors: readonly ErrorCode[];
}

export type Upload =
  'text/csv' | 'application/octet-stream' | 'text/plain' | 'text/markdown' | 'text/html' | 'application/pdf';

/** What a success answers: JSON of its class, or bytes of its own kind. */
export type Media = 'application/json' | 'audio/wav' | 'audio/*';

/** The services that own public routes. */
export const routeServices = [
  'auth',
  'agents',
  'voice-stack',
  'knowledge',
  'telephony',
  'webhooks',
  'insights',
] as const;
export type RouteService = (typeof routeServices)[number];

export interface Route<
  Path extends string = string,
  Body extends object = object,
  Query extends RouteQuery = RouteQuery,
  Answer extends object = object,
  Service extends RouteService | undefined = RouteService | undefined,
> extends RouteFacts<Path> {
  /** The service to which the gateway forwards its requests; undefined where the gateway has a handler of its own. */
  readonly service: Service;
  /** Class of the JSON body; undefined when the route takes none. */
  readonly body: Class<Body> | undefined;
  readonly query: Class<Query>;
  readonly answer: {
    readonly status: 200 | 201 | 202;
    readonly class: Class<Answer>;
    readonly media: Media;
    /** Bytes that are also answered as `{audio_base64, media_type}`, to a client that rather accepts JSON. */
    readonly alsoJson: boolean;
  };
}

/** Any route, for what reads them all. */
export type AnyRoute = Route<string, object, RouteQuery, object, RouteService | undefined>;

export type BodyOf<R extends AnyRoute> =
  R extends Route<string, infer Body, RouteQuery, object, RouteService | undefined> ? Body : never;
export type QueryOf<R extends AnyRoute> = R['query'] extends Class<infer Query> ? Query : never;
export type AnswerOf<R extends AnyRoute> = R['answer'] extends { readonly class: Class<infer Answer> } ? Answer : never;
