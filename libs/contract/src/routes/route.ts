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

/** The texts of a tool for a model. */
export interface ToolText {
  /** If the operation's own name is not the best one. */
  readonly name?: string;
  readonly description: string;
}

/** The names in braces of a path; any name if the path is not known statically. */
export type PathParams<Path extends string> = string extends Path
  ? string
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | PathParams<Rest>
    : never;

/** The declaration of every route; middleware, OpenAPI, MCP tools, scope and isolation tests read it. */
interface RouteFacts<Path extends string> {
  /** The operation id, kebab-case; also scopes its idempotency keys. */
  readonly id: string;
  readonly method: Method;
  /** With path parameters in braces. */
  readonly path: Path;
  readonly summary: string;
  /** The texts of its tool; undefined if the MCP interface has none for it. */
  readonly tool: ToolText | undefined;
  /** The required scope; null if any valid credential suffices. */
  readonly scope: Scope | null;
  /** Additionally required scopes, because the created record grants the same access. */
  readonly alsoScopes: readonly Scope[];
  /** A scope accepted instead of `scope`, for principals that do nothing else; undefined: none. */
  readonly orScope: Scope | undefined;
  readonly audience: readonly Audience[];
  /** `<service>.<method>` of the typed RPC behind a route with a handler in the gateway; undefined for forwarded routes. */
  readonly rpc: string | undefined;
  /** Refused with 503 platform_maintenance during a window (7.3). `unless-inactive-only`: not when the body is `{status: "inactive"}`. */
  readonly newWork: boolean | 'unless-inactive-only';
  /** Accepts an Idempotency-Key. */
  readonly creates: boolean;
  readonly foreign: Foreign;
  /** Names of the path parameters, in order. */
  readonly parameters: readonly string[];
  /** The path parameter that is the record's id. */
  readonly byId: string | undefined;
  /** A single-resource read or write whose response carries a strong ETag. */
  readonly etag: boolean;
  /** Also available as server-sent events for `Accept: text/event-stream`; a client resumes with Last-Event-ID. */
  readonly eventStream: boolean;
  /** On success the connection is upgraded to a websocket; `answer` is its first message, and the response to a request without an upgrade. */
  readonly webSocket: boolean;
  /** The media types accepted in addition to JSON, or raw bytes if it has no body class; read as a stream. */
  readonly upload: readonly Upload[] | undefined;
  /** Its response is bytes that support range requests, also with HEAD. */
  readonly ranged: boolean;
  /** A long-poll route of at most 25 s: its requests are not batched, and a disconnect of the client cancels the work. */
  readonly waits: boolean;
  /** Issues or revokes a credential: counted against the limit of the requesting key. */
  readonly mints: boolean;
  /** Accepts If-Match. */
  readonly conditional: boolean;
  /**
   * May be an MCP tool if its resource has tools. False for decisions that a person has to make, for routes that exist to show a secret, and for what other
   * tools do.
   */
  readonly mcp: boolean;
  /** Included in the OpenAPI document. False for requests of the platform's own runners, and for what OpenAPI cannot describe. */
  readonly documented: boolean;
  /** Names of deprecated fields that its response can contain; a response with one of them has a `Deprecation` header. */
  readonly deprecatedFields: readonly string[];
  /** Error codes that it can return, in order of status. */
  readonly errors: readonly ErrorCode[];
}

export type Upload =
  'text/csv' | 'application/octet-stream' | 'text/plain' | 'text/markdown' | 'text/html' | 'application/pdf';

/** The media type of a successful response: JSON of its class, or bytes. */
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
  /** The service to which the gateway forwards its requests; undefined if the gateway has a handler of its own. */
  readonly service: Service;
  /** Class of the JSON body; undefined if the route has none. */
  readonly body: Class<Body> | undefined;
  readonly query: Class<Query>;
  readonly answer: {
    readonly status: 200 | 201 | 202;
    readonly class: Class<Answer>;
    readonly media: Media;
    /** Bytes that are also available as `{audio_base64, media_type}` for a client that prefers JSON. */
    readonly alsoJson: boolean;
  };
}

/** Any route, for code that handles them all. */
export type AnyRoute = Route<string, object, RouteQuery, object, RouteService | undefined>;

export type BodyOf<R extends AnyRoute> =
  R extends Route<string, infer Body, RouteQuery, object, RouteService | undefined> ? Body : never;
export type QueryOf<R extends AnyRoute> = R['query'] extends Class<infer Query> ? Query : never;
export type AnswerOf<R extends AnyRoute> = R['answer'] extends { readonly class: Class<infer Answer> } ? Answer : never;
