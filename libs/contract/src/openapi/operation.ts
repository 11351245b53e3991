import { errorCatalogue, type ErrorCode } from '@parley/errors';
import { bodyMayBeAbsent } from '../routes/body-may-be-absent';
import { uploadBytes, type AnyRoute } from '../routes/route';
import type { Class } from '../rules/class-facts';
import { jsonSchemaOf, type JsonSchema } from '../schema/json-schema-of';
import { sampleOf } from '../schema/sample';
import { words } from '../schema/descriptions';
import type { SharedComponents } from './components';
import { answerExample, type SchemaExamples } from './examples';
import errorExamples from './error-examples.json';
import { errorSchemaName } from './error-schemas';

export type OpenApiObject = Record<string, unknown>;

const json = (schema: JsonSchema): OpenApiObject => ({ 'application/json': { schema } });
const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
export const headerRef = (name: string): OpenApiObject => ({ $ref: `#/components/headers/${name}` });
const parameterRef = (name: string): OpenApiObject => ({ $ref: `#/components/parameters/${name}` });

/** The path segment that names the resource: `calls` for /v1/calls/{call_id}/cancel. */
export const tagOf = (route: AnyRoute): string => route.path.split('/')[2] ?? 'platform';

/** The components that all operations share. */
export interface Shared {
  readonly parameters: SharedComponents<OpenApiObject>;
  readonly responses: SharedComponents<OpenApiObject>;
  /** Examples of bodies, which are added to their schemas once for all requests and responses. */
  readonly examples: SchemaExamples;
}

/** The operationId in the form from which generators derive function names. */
export const operationIdOf = (id: string): string => id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** One operation of the document, derived only from the route's declaration. */
export function operationOf(route: AnyRoute, shared: Shared): OpenApiObject {
  return {
    operationId: operationIdOf(route.id),
    tags: [tagOf(route)],
    summary: route.summary,
    description: describe(route),
    security: [
      { apiKey: route.scope === null ? [] : [route.scope, ...route.alsoScopes] },
      ...(route.orScope === undefined ? [] : [{ apiKey: [route.orScope] }]),
    ],
    parameters: parametersOf(route, shared),
    ...requestBodyOf(route, shared),
    responses: responsesOf(route, shared),
  };
}

function requestBodyOf(route: AnyRoute, shared: Shared): OpenApiObject {
  const { body, upload } = route;
  if (body !== undefined) {
    return { requestBody: { required: !bodyMayBeAbsent(route), content: contentOf(route, body, shared) } };
  }
  if (upload === undefined) return {};
  const content = Object.fromEntries(upload.map((type) => [type, { schema: binary }]));
  const [most] = new Set(upload.map((type) => uploadBytes[type]));
  return { requestBody: { description: `At most ${most} bytes.`, required: true, content } };
}

/** The content types of a body: JSON, and the other media types of the route. */
function contentOf({ upload }: AnyRoute, body: Class, { examples }: Shared): OpenApiObject {
  examples.add(body.name, sampleOf(body));
  return {
    ...json(schemaRef(body.name)),
    ...Object.fromEntries(
      (upload ?? []).map((type) => [
        type,
        { schema: { type: 'string', description: 'The same as comma-separated values, with a line of names.' } },
      ]),
    ),
  };
}

/** Removes sentences that mention tools by name (`get_call`), because they are meant for models. */
const withoutTools = (description: string): string =>
  description
    .split(/(?<=\.) /)
    .filter(
      (sentence) =>
        !/\b(?:get|list|save|create|update|preview|send|read|put|place)_[a-z_]+\b|idempotency_key/.test(sentence),
    )
    .join(' ');

/** Removes the beginning of a description if it repeats the summary. */
function withoutSummary(description: string, summary: string): string {
  if (!description.startsWith(summary) || !/^[.:]/.test(description.slice(summary.length))) return description;
  const rest = description.slice(summary.length + 1).trim();
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}

/** The description of an operation. Scopes are in `security`, and maintenance is in the 503 response; the scope is mentioned only if there is no other text. */
function describe({ method, summary, scope, audience, foreign, tool, answer }: AnyRoute): string {
  const described = [
    // The tool description of a read only paraphrases its summary.
    method === 'GET' ? '' : withoutSummary(withoutTools(tool?.description ?? ''), summary),
    scope === null ? 'Any valid credential.' : '',
    audience.join() === 'customer,operator'
      ? ''
      : `Only for: ${audience.join(', ').replace(/^customer, operator, (hosted, )?hosted_simulation$/, 'workers')}.`,
    // This is not a content type of the response, because generators would take JSON for the regular response.
    answer.alsoJson ? 'With `Accept: application/json` it answers `{audio_base64, media_type}`.' : '',
    foreign === 'write-403' ? 'Of another organization: 403.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
  return described === '' ? `\`${scope}\`` : described;
}

/** The schema of bytes, which JSON Schema cannot describe further. */
const binary: JsonSchema = { type: 'string', format: 'binary' };

/** Meanings of path parameters that differ from those of fields with the same name. */
const pathWords: Readonly<Record<string, string>> = {
  name: 'The name of the tool.',
  campaign_id: 'The campaign, `cmp_…`.',
};

function parametersOf(route: AnyRoute, shared: Shared): OpenApiObject[] {
  const inPath = route.parameters.map((name) => ({
    name,
    in: 'path',
    required: true,
    description: pathWords[name] ?? words[name] ?? '',
    schema: { type: 'string' },
  }));
  const { properties, required = [] } = jsonSchemaOf(route.query) as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  const inQuery = Object.entries(properties)
    .filter(([name]) => !inPath.some((parameter) => parameter.name === name))
    .map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      ...(required.includes(name) && !('default' in schema) ? { required: true } : {}),
      description,
      // The values are separated by commas; the parameter is not repeated.
      ...(schema.type === 'array' ? { explode: false } : {}),
      // An entry each: metadata[order]=17.
      ...(schema.type === 'object' ? { style: 'deepObject' } : {}),
      schema,
    }));
  return [
    ...[...inPath, ...inQuery].map((parameter) => shared.parameters.add(shortName(parameter.name), parameter)),
    ...(route.creates ? [parameterRef('IdempotencyKey')] : []),
    ...(route.conditional ? [parameterRef('IfMatch')] : []),
    ...(isFollowed(route) ? [parameterRef('LastEventId')] : []),
    ...(route.ranged ? [headerParameter('Range'), headerParameter('If-Range')] : []),
  ];
}

/** The short name of the parameter that all operations have. */
const shortName = (name: string): string => (name === 'organization_id' ? 'org' : name);

const headerParameter = (name: string): OpenApiObject => ({
  name,
  in: 'header',
  description: words[name] ?? '',
  schema: { type: 'string' },
});

function responsesOf(route: AnyRoute, shared: Shared): OpenApiObject {
  const success = {
    description: route.webSocket
      ? 'OK; after an upgrade 101, and a WebSocket whose first message is this'
      : { 200: 'OK', 201: 'Created', 202: 'Accepted' }[route.answer.status],
    ...successHeaders(route),
    content: successContent(route, shared),
  };
  return {
    [route.answer.status]: shared.responses.add(route.answer.class.name, success),
    ...(route.ranged ? partialResponse(route, shared) : {}),
    ...ownErrorResponses(route.errors, shared),
  };
}

/** The response with one byte range. Requests for several ranges get all bytes. */
const partialResponse = (route: AnyRoute, shared: Shared): OpenApiObject => ({
  206: {
    description: 'The bytes of the range',
    headers: {
      ...successHeaders(route).headers,
      'Content-Range': { description: 'Which bytes, of how many.', schema: { type: 'string' } },
    },
    content: successContent(route, shared),
  },
});

/** Errors that every request can get; they share one `4XX` response. */
export const commonErrors: readonly ErrorCode[] = [
  'BadRequestError',
  'UnauthorizedError',
  'ForbiddenError',
  'NotFoundError',
  'PayloadTooLargeError',
  'UnsupportedMediaTypeError',
  'rate_limited',
];

/** Failures that every request can get; they share one `5XX` response. */
export const serverErrors: readonly ErrorCode[] = ['internal_error', 'overloaded'];

/** The responses of statuses whose meaning is specific to the operation, in addition to `4XX`. */
function ownErrorResponses(codes: readonly ErrorCode[], shared: Shared): OpenApiObject {
  const statusOf = (code: ErrorCode): number => errorCatalogue[code].status;
  const common: readonly ErrorCode[] = [...commonErrors, ...serverErrors];
  const own = new Set(codes.filter((code) => !common.includes(code)).map(statusOf));
  return {
    '4XX': { $ref: '#/components/responses/4XX' },
    ...errorResponses(
      // internal_error is named next to other errors of status 503.
      codes.filter((code) => own.has(statusOf(code)) || code === 'internal_error'),
      shared,
    ),
  };
}

/** The `4XX` response. */
export function commonErrorResponse(shared: Shared): OpenApiObject {
  const text = commonErrors.map((code) => `${errorCatalogue[code].status}: ${code}.`);
  showErrors(commonErrors, shared);
  return {
    description: text.join(' '),
    headers: { 'Retry-After': headerRef('Retry-After-429'), 'WWW-Authenticate': headerRef('WWW-Authenticate-401') },
    content: json(schemaRef('RequestError')),
  };
}

/** The body of `4XX`. */
export const commonErrorSchema: JsonSchema = {
  description: 'A refusal that any request can get; `error` tells them apart.',
  oneOf: commonErrors.map((code) => schemaRef(errorSchemaName(code))),
  discriminator: {
    propertyName: 'error',
    mapping: Object.fromEntries(commonErrors.map((code) => [code, schemaRef(errorSchemaName(code)).$ref])),
  },
};

/** Error responses by status. An error that every request can get is not listed per operation; it is a 5XX response in the components. */
export function errorResponses(codes: readonly ErrorCode[], shared: Shared): OpenApiObject {
  const byStatus = new Map<string, ErrorCode[]>();
  for (const code of codes.filter((one) => one !== 'internal_error')) {
    const status = String(errorCatalogue[code].status);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  if (byStatus.has('503') && codes.includes('internal_error')) byStatus.get('503')?.push('internal_error');
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [status, shared.responses.add(status, errorResponse(status, of, shared))]),
  );
}

/** Whether the response is an endless stream. The stream of a chat turn ends like any response, so generated clients read it completely. */
const isFollowed = ({ eventStream, method }: AnyRoute): boolean => eventStream && method === 'GET';

/** The content of a successful response: JSON with a schema, or bytes. */
function successContent(route: AnyRoute, shared: Shared): OpenApiObject {
  const { answer } = route;
  if (answer.media !== 'application/json') return { [answer.media]: { schema: binary } };
  shared.examples.add(answer.class.name, answerExample(answer.class));
  return {
    ...json(schemaRef(answer.class.name)),
    ...(isFollowed(route) ? serverSentEvents : {}),
  };
}

/** A block per event, with its cursor as `id`, its type as `event`, and as `data` the same JSON as in a page. */
const serverSentEvents: OpenApiObject = {
  'text/event-stream': {
    schema: { type: 'string', description: 'Server-sent events: `id`, `event` and `data`; without an end.' },
  },
};

/** The ETag of writes and Idempotent-Replayed are described once, in `info`. */
function successHeaders(route: AnyRoute): { readonly headers?: OpenApiObject } {
  const headers = {
    ...(route.etag ? { ETag: headerRef('ETag') } : {}),
    ...(route.deprecatedFields.length > 0 ? { Deprecation: headerRef('Deprecation') } : {}),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
}

/** The response of one status: one schema, or several that are distinguished by `error`. */
export function errorResponse(status: string, codes: readonly ErrorCode[], shared: Shared): OpenApiObject {
  const refs = codes.map((code) => schemaRef(errorSchemaName(code)));
  showErrors(codes, shared);
  const waits = status === '429' || status === '503';
  const headers = {
    ...(waits ? { 'Retry-After': headerRef('Retry-After') } : {}),
    ...(status === '401' ? { 'WWW-Authenticate': headerRef('WWW-Authenticate') } : {}),
    ...(status === '405' ? { Allow: headerRef('Allow') } : {}),
  };
  return {
    // Each has its meaning in its own schema.
    description: `${codes.join(', ')}.`,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: json(refs.length === 1 ? (refs[0] ?? {}) : { oneOf: refs }),
  };
}

/** Adds the error bodies recorded by the end-to-end tests as examples. */
function showErrors(codes: readonly ErrorCode[], { examples }: Shared): void {
  const recorded = errorExamples as Partial<Record<ErrorCode, unknown>>;
  for (const code of codes) examples.add(errorSchemaName(code), recorded[code] ?? { error: code, message: '' });
}
