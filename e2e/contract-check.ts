import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { allRoutes } from '@parley/contract';

type Json = Record<string, unknown>;

interface DocumentedAnswer {
  readonly $ref?: string;
  readonly headers?: Record<string, Json>;
  /** JSON, or bytes that the document does not describe further. */
  readonly content: Readonly<Partial<Record<string, { schema: Json }>>>;
}

interface Operation {
  readonly responses: Record<string, DocumentedAnswer>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<'schemas' | 'headers', Record<string, Json>> & {
    readonly responses: Record<string, DocumentedAnswer>;
  };
}

const root = path.resolve(__dirname, '..');
const written = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8')) as Document;
const document = closed(written) as Document;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema({ $id: 'parley', components: document.components });

/** Headers of HTTP itself and of its security, which no operation lists. */
const transportHeaders = new Set([
  // Described once in `info` of the document.
  'etag',
  'idempotent-replayed',
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'date',
  'cache-control',
  'x-content-type-options',
  'strict-transport-security',
  // Contained in every response; documented once.
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
]);

const validators = new Map<string, ValidateFunction>();

/**
 * Validates a response against docs/openapi.json: its status, every header and every field must be documented, and every required header and field must be
 * present.
 * @throws Error with all deviations
 */
export function checkAnswer(
  method: string,
  url: string,
  answer: { status: number; headers: Readonly<Record<string, string>>; body: unknown },
): void {
  const pathname = url.split('?')[0] ?? '';
  if (!pathname.startsWith('/v1/')) return;
  const found = operationAt(method, pathname, answer.status);
  const response = found === undefined ? undefined : (responseOf(found.operation, answer.status) ?? found.fallback);
  const at = `${method} ${pathname} → ${answer.status}`;
  if (found === undefined || response === undefined)
    throw new Error(`${at} is not in the document: ${JSON.stringify(answer.body)}`);
  checkHeaders(at, response.headers ?? {}, answer.headers);
  checkRefusal(at, found, answer);
  const key = `${method} ${found.template} ${answer.status}`;
  let validate = validators.get(key);
  if (validate === undefined) {
    validate = ajv.compile(absolute(response.content['application/json']?.schema ?? {}));
    validators.set(key, validate);
  }
  if (!validate(answer.body))
    throw new Error(
      `${at} does not fit the document: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(answer.body)}`,
    );
  recordExample(answer.body);
}

/** Errors that any request with a body can cause, because its size and type are checked even if the route accepts no body. */
const ofBodies = ['PayloadTooLargeError', 'UnsupportedMediaTypeError'];

/** The range 4XX documents what any request can be refused with. The declaration of the route lists what this one can be refused with. */
function checkRefusal(
  at: string,
  { template, method }: { readonly template: string; readonly method: string },
  { status, headers, body }: { status: number; headers: Readonly<Record<string, string>>; body: unknown },
): void {
  if (status === 401 && headers['www-authenticate'] === undefined) throw new Error(`${at}: no WWW-Authenticate`);
  if (status === 429 && headers['retry-after'] === undefined) throw new Error(`${at}: no Retry-After`);
  const route = allRoutes.find((one) => one.path === template && one.method === method);
  if (status < 400 || route === undefined) return;
  const code = String((body as { error?: unknown } | null)?.error);
  if (!(route.errors as readonly string[]).includes(code) && !ofBodies.includes(code))
    throw new Error(`${at}: the route does not declare ${code}`);
}

/** The documented response for a status, or for the range that contains it. 5XX is documented once in the components for all operations. */
function responseOf({ responses }: Operation, status: number): DocumentedAnswer | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  const declared =
    responses[String(status)] ??
    responses[range] ??
    (range === '5XX' ? document.components.responses[range] : undefined);
  const ref = declared?.$ref;
  return ref === undefined ? declared : document.components.responses[ref.split('/').at(-1) ?? ''];
}

/** The operation of a response; `fallback` documents the response of an unknown path or method. */
function operationAt(
  method: string,
  pathname: string,
  status: number,
): { template: string; method: string; operation: Operation; fallback?: DocumentedAnswer } | undefined {
  const segments = pathname.split('/');
  const templates = Object.keys(document.paths).filter((template) => {
    const parts = template.split('/');
    return (
      parts.length === segments.length && parts.every((part, index) => part.startsWith('{') || part === segments[index])
    );
  });
  const template = templates.sort((one, other) => one.split('{').length - other.split('{').length)[0];
  const { responses } = document.components;
  if (template === undefined) {
    const fallback = responses.not_found;
    return status === 404 ? { template: '', method, operation: { responses: {} }, fallback } : undefined;
  }
  const operation = document.paths[template]?.[method.toLowerCase()];
  if (operation === undefined) {
    return status === 405
      ? { template, method, operation: { responses: {} }, fallback: responses.method_not_allowed }
      : undefined;
  }
  return { template, method, operation };
}

function checkHeaders(at: string, declared: Record<string, Json>, sent: Readonly<Record<string, string>>): void {
  const known = new Map(
    Object.entries(declared).map(([name, header]) => {
      const target =
        typeof header.$ref === 'string' ? document.components.headers[header.$ref.split('/').at(-1) ?? ''] : header;
      return [name.toLowerCase(), target] as const;
    }),
  );
  for (const name of Object.keys(sent)) {
    if (!known.has(name) && !transportHeaders.has(name))
      throw new Error(`${at}: the header ${name} is not in the document`);
  }
  for (const [name, header] of known) {
    if (header?.required === true && sent[name] === undefined) throw new Error(`${at}: the header ${name} is missing`);
  }
}

/** A response must not contain fields that the document does not describe, so additional properties are forbidden in every object for this check. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const whole = joined(value as Json);
  const copy: Json = Object.fromEntries(Object.entries(whole).map(([key, inner]) => [key, closed(inner)]));
  if (copy.type === 'object' && 'properties' in copy && !('additionalProperties' in copy)) {
    copy.additionalProperties = false;
  }
  return copy;
}

/** Merges the schemas of `allOf` into one object. */
function joined(schema: Json): Json {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  const parts = (allOf as Json[]).map((part) =>
    joined(
      typeof part.$ref === 'string' ? (written.components.schemas[part.$ref.split('/').at(-1) ?? ''] ?? {}) : part,
    ),
  );
  return parts.reduce<Json>(
    (all, part) => ({
      ...part,
      ...all,
      properties: { ...(all.properties as Json | undefined), ...(part.properties as Json | undefined) },
      required: [...((all.required as string[] | undefined) ?? []), ...((part.required as string[] | undefined) ?? [])],
    }),
    rest,
  );
}

const absolute = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"parley#/components')) as Json;

const collected = path.join(root, '.parley/error-examples');

/** With RECORD_EXAMPLES=1 the first body of each error code is recorded as an example for the document (`npm run documents` copies them). */
function recordExample(body: unknown): void {
  if (process.env.RECORD_EXAMPLES !== '1' || typeof body !== 'object' || body === null || !('error' in body)) return;
  const code = String(body.error);
  const file = path.join(collected, `${code}.json`);
  mkdirSync(collected, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(body));
}
