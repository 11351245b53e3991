import { agentSummaryFields } from '../objects/agent-view';
import { callSummaryFields } from '../objects/call';
import { campaignSummaryFields } from '../objects/campaign';
import { allRoutes, carrierRoutes, type routes } from '../routes';
import type { Class } from '../rules/class-facts';
import { type JsonSchema, jsonSchemasOf } from '../schema/json-schema-of';
import { carrierOperationOf, carrierSecuritySchemes } from './carrier-operation';
import { allErrorCodes, errorSchema, errorSchemaName } from './error-schemas';
import { SharedComponents } from './components';
import { SchemaExamples } from './examples';
import { eventSchemas, eventWebhooks, sharingEventData, webhookParameters, webhookResponses } from './event-schemas';
import { inlined, usedOnce } from './inline';
import { namedSchemas, sharingNamed } from './named-schemas';
import {
  commonErrorResponse,
  commonErrorSchema,
  errorResponse,
  serverErrors,
  headerRef,
  operationOf,
  type OpenApiObject,
  type Shared,
} from './operation';
import { sharingFields } from './shared-fields';
import { sharingForms } from './shared-forms';
import tagSentences from './tags.json';

/** The first path segment after /v1, as returned by `tagOf`. */
type Tag<Path extends string> = Path extends `/v1/${infer First}/${string}`
  ? First
  : Path extends `/v1/${infer First}`
    ? First
    : never;

/** One sentence per tag. The type requires one when a route of a new resource is added. */
const tags: Readonly<Record<Tag<(typeof routes)[keyof typeof routes]['path']> | 'carriers', string>> = tagSentences;

const text = { type: 'string' } as const;

const headers = {
  'X-Request-Id': { description: 'Names this request in our logs.', required: true, schema: text },
  ETag: { description: 'Strong; goes into If-Match.', required: true, schema: { ...text, pattern: '^"[^"]+"$' } },
  'RateLimit-Policy': {
    description: 'Where the organization has a rate limit: requests (q) in a window of seconds (w).',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Where the organization has a rate limit: requests left (r) in the seconds (t) until its window ends.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds.', required: true, schema: { type: 'integer', minimum: 0 } },
  'Retry-After-429': { description: 'With 429: seconds.', schema: { type: 'integer', minimum: 0 } },
  'Retry-After-503': { description: 'With 503: seconds.', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate-401': { description: 'With 401: Bearer.', schema: { const: 'Bearer' } },
  'WWW-Authenticate': { description: 'Always Bearer.', required: true, schema: { const: 'Bearer' } },
  Allow: { description: 'The methods that the route has.', required: true, schema: text },
  Deprecation: {
    description: 'The answer carries a deprecated field, deprecated since this time (RFC 9745).',
    schema: { ...text, pattern: '^@\\d+$' },
  },
};

const parameters = {
  ...webhookParameters,
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
 * The OpenAPI 3.1 document of the whole REST interface, generated from the route declarations and the contract classes. The errors that belong to no route
 * (not_found, method_not_allowed) or to all routes (internal_error) are in `components.responses`.
 */
export function openApiDocument(): Record<string, unknown> {
  const document = wholeDocument();
  const components = document.components as Record<'responses' | 'parameters', Record<string, unknown>>;
  // Error responses remain components, even if only one operation uses them.
  const answers = Object.entries(components.responses).filter(([name]) => /^[A-Z]/.test(name));
  const short = new Map([
    ...usedOnce('responses', Object.fromEntries(answers), document),
    ...usedOnce('parameters', components.parameters, document),
  ]);
  const without = Object.entries(components).map(([kind, all]) => [
    kind,
    Object.fromEntries(Object.entries(all).filter(([name]) => !short.has(`#/components/${kind}/${name}`))),
  ]);
  return inlined({ ...document, components: Object.fromEntries(without) as unknown }, short) as typeof document;
}

/** Moves parameters that all operations of a path share to the path, where they are listed once. */
function withCommonParameters(methods: Record<string, OpenApiObject>): Record<string, unknown> {
  const [first, ...others] = Object.values(methods).map(({ parameters }) => (parameters ?? []) as OpenApiObject[]);
  const texts = others.map((list) => new Set(list.map((one) => JSON.stringify(one))));
  const common = (first ?? []).filter((one) => texts.every((list) => list.has(JSON.stringify(one))));
  if (others.length === 0 || common.length === 0) return methods;
  const hoisted = new Set(common.map((one) => JSON.stringify(one)));
  const own = (list: unknown): OpenApiObject[] =>
    (list as OpenApiObject[]).filter((one) => !hoisted.has(JSON.stringify(one)));
  const rest = Object.entries(methods).map(([method, { parameters = [], ...operation }]) => {
    const left = own(parameters);
    return [method, left.length === 0 ? operation : { ...operation, parameters: left }];
  });
  return { parameters: common, ...(Object.fromEntries(rest) as Record<string, unknown>) };
}

function wholeDocument(): Record<string, unknown> {
  const shared: Shared = {
    parameters: new SharedComponents('parameters'),
    responses: new SharedComponents('responses'),
    examples: new SchemaExamples(),
  };
  const paths: Record<string, Record<string, OpenApiObject>> = {};
  for (const route of allRoutes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, shared);
  }
  const ofCarriers = Object.values(carrierRoutes);
  for (const webhook of ofCarriers)
    paths[webhook.path] = { post: carrierOperationOf(webhook, shared) as OpenApiObject };
  const classes = [
    ...allRoutes.flatMap(({ body, answer }): Class[] => [
      ...(body ? [body] : []),
      ...(answer.media === 'application/json' ? [answer.class] : []),
    ]),
    ...ofCarriers.flatMap(({ forms }): readonly Class[] => forms),
  ];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: '1',
      summary: 'A self-hosted platform for AI voice agents',
      description:
        'Errors carry `error` and `message`: branch on the status, then on `error`. Retry 429 and 5xx only. A JSON body has at most 1 MiB, or 16 KiB where the route has no fields. Lists are newest first, paged by `cursor`. Times are ISO 8601 in UTC; money is in millionths of the currency unit. In a change an absent field stays as it is, and null clears it where it may be null. Every answer carries X-Request-Id, and with a rate limit RateLimit-Policy and RateLimit. A write of a record with revisions answers its new ETag, which goes into If-Match; for a repeated Idempotency-Key the earlier answer carries `Idempotent-Replayed: true`; of a call that was erased since, it is only `call_id` and `erased: true`. 5XX of the components: 500 internal_error without another reason; 503 overloaded if the body of a request finds no room in the process. Examples of bodies are in their schemas.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: '{base_url}',
        description: 'The gateway of an installation',
        variables: {
          base_url: {
            default: 'http://127.0.0.1:8080',
            description: 'The address of the gateway, without /v1; the default is that of `npm start`.',
          },
        },
      },
    ],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(Object.entries(paths).map(([at, methods]) => [at, withCommonParameters(methods)])),
    webhooks: eventWebhooks(),
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
      parameters: { ...sharingNamed(shared.parameters.all()), ...parameters },
      responses: {
        ...shared.responses.all(),
        ...webhookResponses,
        '4XX': commonErrorResponse(shared),
        '5XX': {
          ...errorResponse('5XX', serverErrors, shared),
          headers: { 'Retry-After': headerRef('Retry-After-503') },
        },
        not_found: errorResponse('404', ['not_found'], shared),
        method_not_allowed: errorResponse('405', ['method_not_allowed'], shared),
      },
      schemas: shared.examples.shownIn(schemasOf(classes)),
    },
  };
}

const schemasOf = (classes: readonly Class[]): Record<string, JsonSchema> =>
  sharingForms(
    sharingFields({
      ...sharingNamed(
        withoutDefaults(sharingEventData(withEvents({ ...withSummaries(jsonSchemasOf(classes)), ...eventSchemas() }))),
      ),
      ...namedSchemas,
      RequestError: commonErrorSchema,
      ...Object.fromEntries(allErrorCodes.map((code) => [errorSchemaName(code), errorSchema(code)])),
    }),
  );

const inSummaries: readonly (readonly [record: string, listed: string, summary: string, readonly string[]])[] = [
  ['AgentView', 'ListedAgent', 'AgentSummary', agentSummaryFields],
  ['CallRecord', 'ListedCall', 'CallSummary', callSummaryFields],
  ['CampaignRecord', 'ListedCampaign', 'CampaignSummary', campaignSummaryFields],
];

/** Lists with `summary` contain whole records, or summaries. */
function withSummaries(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const all = { ...schemas };
  for (const [record, listed, summary, names] of inSummaries) {
    const { description, properties, required } = schemas[listed] ?? {};
    all[listed] = { description, anyOf: [record, summary].map((name) => ({ $ref: `#/components/schemas/${name}` })) };
    const fields = Object.entries(properties as Record<string, JsonSchema>).filter(([name]) => names.includes(name));
    all[summary] = {
      type: 'object',
      description: `A ${record} in short.`,
      properties: Object.fromEntries(fields),
      required,
    };
  }
  return all;
}

/** Lists of events may contain events of any type. */
function withEvents({ EventEnvelope: _ofAnyType, ...schemas }: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const ofEvents = (schema: JsonSchema): JsonSchema =>
    JSON.parse(JSON.stringify(schema).replaceAll('schemas/EventEnvelope"', 'schemas/Event"')) as JsonSchema;
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, name.endsWith('Page') ? ofEvents(schema) : schema]),
  );
}

/**
 * Removes `default`, because the descriptions already state the defaults. Generators treat a field with `default` as always present, even in requests; and in a
 * section of the voice stack an absent field does not mean the default. Also removes examples of fields, because the document has examples of whole bodies.
 */
const withoutDefaults = (schemas: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      {
        ...schema,
        ...(schema.properties === undefined
          ? {}
          : { properties: bare(schema.properties as Record<string, JsonSchema>) }),
      },
    ]),
  );

const bare = (properties: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { default: _default, examples: _examples, ...schema }]) => [name, schema]),
  );
