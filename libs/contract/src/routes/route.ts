import type { ErrorCode } from '@parley/errors';
import { limits } from '../limits';
import type { RouteQuery } from '../objects/page';
import type { Class } from '../rules/class-facts';
import type { Scope } from '../scopes';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Kinds of principals: a customer's key, an operator's key, a hosted worker (for calls or for simulations; of no organization), and a media gateway's token.
 */
export type Audience = 'customer' | 'operator' | 'hosted' | 'hosted_simulation' | 'gateway';

/**
 * The response to an id of another organization (docs/reference/requests.md). Reads: 404. Writes: 403 on the five routes that declare it, 404 on
 * all others. `none`: the path contains no id of a record. `organization-403`: the path contains an organization, and any other than the caller's is 403.
 */
export type Foreign = 'read-404' | 'write-403' | 'write-404' | 'organization-403' | 'none';

/** The texts of an MCP tool, written for a model. */
export interface ToolText {
  /** Set if the operation's own name is not suitable. */
  readonly name?: string;
  readonly description: string;
}

/** Whether a route is refused with 503 platform_maintenance during maintenance. `unless-inactive-only`: not if the body is `{status: "inactive"}`. */
export type NewWork = boolean | 'unless-inactive-only';

/** The action of an entry of the audit log: the kind of record and what was done to it, such as agent.updated. */
export type AuditAction = `${string}.${string}`;

/** The names in braces of a path; any name if the path is not known statically. */
export type PathParams<Path extends string> = string extends Path
  ? string
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | PathParams<Rest>
    : never;

/** The declaration of a route, from which middleware, OpenAPI, MCP tools, and the tests of scopes and isolation are derived. */
interface RouteFacts<Path extends string> {
  /** The operation id in kebab case. It is also the scope of the route's idempotency keys. */
  readonly id: string;
  readonly method: Method;
  /** The path, with parameters in braces. */
  readonly path: Path;
  readonly summary: string;
  /** The texts of its MCP tool; undefined if they are the default. */
  readonly tool: ToolText | undefined;
  /** The required scope; null if any valid credential is sufficient. */
  readonly scope: Scope | null;
  /** Further required scopes, because the created record gives the same access. */
  readonly alsoScopes: readonly Scope[];
  /** A scope that is accepted instead of `scope`, for principals with only this task; undefined: none. */
  readonly orScope: Scope | undefined;
  readonly audience: readonly Audience[];
  /** The typed RPC of a route with a handler in the gateway, as `<service>.<method>`; undefined for forwarded routes. */
  readonly rpc: string | undefined;
  /** False for every read. A route that writes has to declare it. */
  readonly newWork: NewWork;
  /** The actions of the entries that it appends to the audit log; none for reads, and for writes that change no configuration. */
  readonly audit: readonly AuditAction[];
  /** Whether it creates a record, and so accepts an Idempotency-Key. */
  readonly creates: boolean;
  readonly foreign: Foreign;
  /** The names of the path parameters, in order. */
  readonly parameters: readonly string[];
  /** The path parameter that contains the record's id. */
  readonly byId: string | undefined;
  /** Whether the response has a strong ETag, as reads and writes of a single resource do. */
  readonly etag: boolean;
  /** Whether it is also available as server-sent events for `Accept: text/event-stream`; a client resumes with Last-Event-ID. */
  readonly eventStream: boolean;
  /** Whether the connection is upgraded to a WebSocket on success. `answer` is then its first message, and the response to a request without an upgrade. */
  readonly webSocket: boolean;
  /** The media types accepted in addition to JSON, or the type of raw bytes if there is no body class; the body is read as a stream. */
  readonly upload: readonly Upload[] | undefined;
  /** Maximum size of its body in bytes, except of an upload (`uploadBytes`). */
  readonly bodyBytes: number;
  /** Whether the response is bytes that support range requests, also with HEAD. */
  readonly ranged: boolean;
  /** Whether it is a long-poll route, which waits for at most 25 s. Its requests are not batched, and a disconnect of the client cancels the work. */
  readonly waits: boolean;
  /** Whether it issues or revokes a credential, which is counted against a limit of the requesting key. */
  readonly mints: boolean;
  /** Whether it accepts If-Match. */
  readonly conditional: boolean;
  /**
   * Whether it may be an MCP tool, if its resource has tools. False for decisions that a person must make, for routes whose purpose is to show a secret, and
   * for what other tools already do.
   */
  readonly mcp: boolean;
  /** The names of deprecated fields that the response may contain. A response with one of them has a `Deprecation` header. */
  readonly deprecatedFields: readonly string[];
  /** The error codes that it can return, in the order of their status. */
  readonly errors: readonly ErrorCode[];
}

export type Upload =
  | 'text/csv'
  | 'application/octet-stream'
  | 'text/plain'
  | 'text/markdown'
  | 'text/html'
  | 'application/pdf'
  | 'image/png'
  | 'image/jpeg';

/** Maximum size of an upload in bytes. */
export const uploadBytes: Readonly<Record<Upload, number>> = {
  'text/csv': limits.contactsCsvBytes,
  'application/octet-stream': limits.recordingPartBytes,
  'text/plain': limits.documentBytes,
  'text/markdown': limits.documentBytes,
  'text/html': limits.documentBytes,
  'application/pdf': limits.documentBytes,
  'image/png': limits.documentBytes,
  'image/jpeg': limits.documentBytes,
};

/** The media type of a successful response: JSON of the class, or bytes. */
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
  /** The service to which the gateway forwards the requests; undefined if the gateway itself has a handler. */
  readonly service: Service;
  /** The class of the JSON body; undefined if there is none. */
  readonly body: Class<Body> | undefined;
  readonly query: Class<Query>;
  readonly answer: {
    readonly status: 200 | 201 | 202;
    readonly class: Class<Answer>;
    readonly media: Media;
    /** Whether bytes are also available as `{audio_base64, media_type}`, for clients that prefer JSON. */
    readonly alsoJson: boolean;
  };
}

/** Any route; the type for code that handles all routes. */
export type AnyRoute = Route<string, object, RouteQuery, object, RouteService | undefined>;

export type BodyOf<R extends AnyRoute> =
  R extends Route<string, infer Body, RouteQuery, object, RouteService | undefined> ? Body : never;
export type QueryOf<R extends AnyRoute> = R['query'] extends Class<infer Query> ? Query : never;
export type AnswerOf<R extends AnyRoute> = R['answer'] extends { readonly class: Class<infer Answer> } ? Answer : never;
