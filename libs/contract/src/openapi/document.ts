import { allRoutes, carrierRoutes, type routes } from '../routes';
import type { Class } from '../rules/class-facts';
import { jsonSchemasOf } from '../schema/json-schema-of';
import { carrierOperationOf, carrierSecuritySchemes } from './carrier-operation';
import { allErrorCodes, errorSchema, errorSchemaName } from './error-schemas';
import { errorResponse, operationOf } from './operation';

/** The first segment of a path, as `tagOf` reads it. */
type Tag<Path extends string> = Path extends `/v1/${infer First}/${string}`
  ? First
  : Path extends `/v1/${infer First}`
    ? First
    : never;

/** One sentence for each; a route of a new resource does not compile without it. */
const tags: Readonly<Record<Tag<(typeof routes)[keyof typeof routes]['path']> | 'carriers', string>> = {
  agents: 'Agents, their voice stacks and what is published of them',
  'agent-catalog': 'Engines, providers and voices to choose from',
  'agent-endpoints': 'Where events are delivered to',
  events: 'The log of events',
  deliveries: 'Deliveries of events and their attempts',
  'audit-log': 'The audit log of the platform',
  'api-keys': 'Keys and the scope catalogue',
  carriers: 'What carriers ask by themselves',
  'carrier-credentials': 'Accounts at carriers that the organization brings',
  'component-credentials': 'Accounts at hosted-AI providers that the organization brings',
  connections: 'Connections to other systems, whose actions are tools of agents',
  'gateway-tokens': 'Tokens of self-hosted media gateways',
  organizations: 'Organizations, their projects and audit logs',
  maintenance: 'Maintenance windows',
  numbers: 'Telephone numbers',
  calls: 'Calls, their events and transcripts',
  campaigns: 'Campaigns, their contacts, calls and imports',
  gateway: 'What self-hosted media gateways ask and report',
  messages: 'Text messages',
  'trial-calls': 'Synthetic calls, for trying integrations',
  suppressions: 'Numbers that are not called or texted',
  wallet: 'The wallet, and what it was charged',
  'message-templates': 'Texts of messages, by language',
  'voice-previews': 'Voices to listen to',
  'worker-jobs': 'The queue as workers see it',
};

const text = { type: 'string' } as const;

const headers = {
  'X-Request-Id': { description: 'Names this request in our logs.', required: true, schema: text },
  ETag: { description: 'Strong; goes into If-Match.', required: true, schema: { ...text, pattern: '^"[^"]+"$' } },
  'ETag-After-Write': {
    description: 'Where the record has revisions; goes into If-Match.',
    schema: { ...text, pattern: '^"[^"]+"$' },
  },
  'RateLimit-Policy': {
    description: 'Where the organization has a rate limit: requests (q) in a window of seconds (w).',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Where the organization has a rate limit: requests left (r) in the seconds (t) until its window ends.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds.', required: true, schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': { description: 'Always Bearer.', required: true, schema: { const: 'Bearer' } },
  Allow: { description: 'The methods that the route has.', required: true, schema: text },
  'Idempotent-Replayed': {
    description: 'true when this is the answer of an earlier request.',
    schema: { const: 'true' },
  },
  Deprecation: {
    description: 'The answer carries a deprecated field, deprecated since this time (RFC 9745).',
    schema: { ...text, pattern: '^@\\d+$' },
  },
};

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The same key with the same body answers what the first request answered; with another body 409 ConflictError.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'With `Accept: text/event-stream`: the id of the last event that arrived; wins over `after`.',
    schema: { ...text, maxLength: 1024 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the last read; a stale one is 409 ConflictError.',
    schema: text,
  },
};

/**
 * The OpenAPI 3.1 document of the whole REST interface, generated from the route declarations and the contract classes. The errors that
 * belong to no route (not_found, method_not_allowed) are in `components.responses`.
 */
export function openApiDocument(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of allRoutes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  const webhooks = Object.values(carrierRoutes);
  for (const webhook of webhooks) paths[webhook.path] = { post: carrierOperationOf(webhook) };
  const classes = [
    ...allRoutes.flatMap(({ body, answer }): Class[] => [
      ...(body ? [body] : []),
      ...(answer.media === 'application/json' ? [answer.class] : []),
    ]),
    ...webhooks.flatMap(({ forms }): readonly Class[] => forms),
  ];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: '1',
      summary: 'A self-hosted platform for AI voice agents',
      description:
        'Errors carry `error` and `message`: branch on the status, then on `error`. Retry 429 and 5xx only. Lists are newest first, paged by `cursor`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This gateway' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'tai_…',
          description: 'A scoped key of an organization.',
        },
        ...carrierSecuritySchemes,
      },
      headers,
      parameters,
      responses: {
        not_found: errorResponse(404, ['not_found']),
        method_not_allowed: errorResponse(405, ['method_not_allowed']),
      },
      schemas: {
        ...jsonSchemasOf(classes),
        ...Object.fromEntries(allErrorCodes.map((code) => [errorSchemaName(code), errorSchema(code)])),
      },
    },
  };
}
