import { errorCatalogue, type ErrorCode } from '@parley/errors';
import { bodyMayBeAbsent } from '../routes/body-may-be-absent';
import type { AnyRoute } from '../routes/route';
import type { Class } from '../rules/class-facts';
import { jsonSchemaOf, type JsonSchema } from '../schema/json-schema-of';
import errorExamples from './error-examples.json';
import { errorSchemaName, meaningOf } from './error-schemas';

type OpenApiObject = Record<string, unknown>;

const json = (schema: JsonSchema, examples?: OpenApiObject): OpenApiObject => ({
  'application/json': { schema, ...(examples === undefined ? {} : { examples }) },
});
const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const headerRef = (name: string): OpenApiObject => ({ $ref: `#/components/headers/${name}` });
const parameterRef = (name: string): OpenApiObject => ({ $ref: `#/components/parameters/${name}` });

/** The last segment that names a resource: `calls` for /v1/calls/{call_id}/cancel. */
export const tagOf = (route: AnyRoute): string => route.path.split('/')[2] ?? 'platform';

/** One operation of the document, from the route's declaration alone. */
export function operationOf(route: AnyRoute): OpenApiObject {
  return {
    operationId: route.id,
    tags: [tagOf(route)],
    summary: route.summary,
    description: describe(route),
    security: [{ apiKey: route.scope === null ? [] : [route.scope, ...route.alsoScopes] }],
    parameters: parametersOf(route),
    ...requestBodyOf(route),
    responses: responsesOf(route),
  };
}

function requestBodyOf(route: AnyRoute): OpenApiObject {
  const { body, upload } = route;
  if (body !== undefined) {
    return { requestBody: { required: !bodyMayBeAbsent(route), content: contentOf(route, body) } };
  }
  return upload === undefined ? {} : { requestBody: { required: true, content: { [upload]: { schema: {} } } } };
}

/** JSON, and what else the route takes. */
const contentOf = ({ upload }: AnyRoute, body: Class): OpenApiObject => ({
  ...json(schemaRef(body.name)),
  ...(upload === undefined ? {} : { [upload]: { schema: { type: 'string' } } }),
});

function describe({ scope, alsoScopes, audience, newWork, foreign, creates }: AnyRoute): string {
  return [
    scope === null
      ? 'Any valid credential.'
      : `Scope ${[scope, ...alsoScopes].map((one) => `\`${one}\``).join(' and ')}.`,
    `For: ${audience.join(', ')}.`,
    newWork === false ? '' : 'New work: refused during a maintenance window.',
    foreign === 'write-403' ? 'A record of another organization answers 403.' : '',
    creates ? 'Safe to repeat with the same Idempotency-Key.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function parametersOf(route: AnyRoute): OpenApiObject[] {
  const inPath = route.parameters.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const { properties, required = [] } = jsonSchemaOf(route.query) as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  const inQuery = Object.entries(properties)
    .filter(([name]) => !inPath.some((parameter) => parameter.name === name))
    .map(([name, schema]) => ({
      name,
      in: 'query',
      required: required.includes(name) && !('default' in schema),
      schema,
    }));
  return [
    ...inPath,
    ...inQuery,
    ...(route.creates ? [parameterRef('IdempotencyKey')] : []),
    ...(route.conditional ? [parameterRef('IfMatch')] : []),
    ...(route.eventStream ? [parameterRef('LastEventId')] : []),
    ...(route.ranged ? [headerParameter('Range'), headerParameter('If-Range')] : []),
  ];
}

const headerParameter = (name: string): OpenApiObject => ({ name, in: 'header', schema: { type: 'string' } });

function responsesOf(route: AnyRoute): OpenApiObject {
  return {
    [route.answer.status]: {
      description: route.creates ? 'Created' : 'OK',
      headers: successHeaders(route),
      content: successContent(route),
    },
    ...(route.ranged ? partialResponse(route) : {}),
    ...errorResponses(route.errors),
  };
}

/** Of one range within the bytes. Any other is answered with all of them. */
const partialResponse = (route: AnyRoute): OpenApiObject => ({
  206: {
    description: 'The bytes of the range',
    headers: { ...successHeaders(route), 'Content-Range': { schema: { type: 'string' } } },
    content: successContent(route),
  },
});

/** The answers of errors by status. */
export function errorResponses(codes: readonly ErrorCode[]): OpenApiObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    for (const status of statusesOf(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, of]) => [String(status), errorResponse(status, of)] as const));
}

/** JSON of a schema, or bytes: an empty schema says that JSON Schema does not describe them (OpenAPI 3.1). */
function successContent({ answer, eventStream }: AnyRoute): OpenApiObject {
  if (answer.media !== 'application/json') return { [answer.media]: { schema: {} } };
  return { ...json(schemaRef(answer.class.name)), ...(eventStream ? serverSentEvents : {}) };
}

/** One event a block: its cursor as `id`, its type as `event`, the same JSON as in a page as `data`. */
const serverSentEvents: OpenApiObject = {
  'text/event-stream': {
    schema: { type: 'string', description: 'Server-sent events: `id`, `event` and `data`; without an end.' },
  },
};

/** An internal_error also tells of a service that is away (503) or too slow (504). */
const statusesOf = (code: ErrorCode): readonly number[] =>
  code === 'internal_error' ? [500, 503, 504] : [errorCatalogue[code].status];

/** A write that answers the record it wrote; not all records have revisions. */
const writesOne = ({ method, creates, byId }: AnyRoute): boolean => method !== 'GET' && (creates || byId !== undefined);

function successHeaders(route: AnyRoute): OpenApiObject {
  return {
    'X-Request-Id': headerRef('X-Request-Id'),
    'RateLimit-Policy': headerRef('RateLimit-Policy'),
    RateLimit: headerRef('RateLimit'),
    ...(route.etag ? { ETag: headerRef('ETag') } : {}),
    ...(!route.etag && writesOne(route) ? { ETag: headerRef('ETag-After-Write') } : {}),
    ...(route.creates ? { 'Idempotent-Replayed': headerRef('Idempotent-Replayed') } : {}),
    ...(route.deprecatedFields.length > 0 ? { Deprecation: headerRef('Deprecation') } : {}),
  };
}

/** An answer of one status: one schema, or one of several told apart by `error`. */
export function errorResponse(status: number, codes: readonly ErrorCode[]): OpenApiObject {
  const refs = codes.map((code) => schemaRef(errorSchemaName(code)));
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]));
  const waits = status === 429 || (status === 503 && codes.includes('platform_maintenance'));
  return {
    description: codes.map(meaningOf).join(' '),
    headers: {
      'X-Request-Id': headerRef('X-Request-Id'),
      ...(waits ? { 'Retry-After': headerRef('Retry-After') } : {}),
      ...(status === 401 ? { 'WWW-Authenticate': headerRef('WWW-Authenticate') } : {}),
      ...(status === 405 ? { Allow: headerRef('Allow') } : {}),
    },
    content: json(refs.length === 1 ? (refs[0] ?? {}) : { oneOf: refs }, examples),
  };
}

/** A body that the end-to-end tests received and recorded. */
function exampleOf(code: ErrorCode): unknown {
  return (errorExamples as Partial<Record<ErrorCode, unknown>>)[code] ?? { error: code, message: '' };
}
