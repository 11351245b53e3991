import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { compareWithAny, isAsShown, isObject } from './forms';

interface Schema {
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Described {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Described>>;
  };
}

interface DocumentedOperation {
  readonly requestBody?: Described;
  readonly responses: Readonly<Record<string, Described>>;
}

/** A request of a test and its response. */
export interface Exchange {
  readonly method: string;
  /** With or without a query. */
  readonly path: string;
  readonly sent: unknown;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly received: unknown;
}

const root = path.resolve(__dirname, '../..');
const document = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8')) as Document;

/** The templates of paths. Those with fewer parameters are first, because they are the exact ones. */
const templates = Object.keys(document.paths)
  .sort((one, other) => one.split('{').length - other.split('{').length)
  .map((template) => [template, new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const);

const lastStep = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (document.components.schemas[lastStep(schema.$ref)] ?? {});

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  const { properties = {}, allOf = [] } = resolved(schema);
  return Object.assign({}, ...allOf.map(propertiesOf), properties) as Record<string, Schema>;
}

/** The examples of an entry, or of each form that it may have. */
function examplesOfEntry(schema: Schema): readonly unknown[] {
  const { examples, anyOf = [] } = resolved(schema);
  return examples ?? anyOf.flatMap(examplesOfEntry);
}

/** An example in which each list that is shown empty has the examples of its entries: a page and its records have separate ones. */
function withEntries(schema: Schema, example: unknown): unknown {
  if (!isObject(example)) return example;
  const properties = propertiesOf(schema);
  const filled = Object.entries(example).map(([name, value]) => {
    const entries = properties[name]?.items;
    const isEmpty = Array.isArray(value) && value.length === 0 && entries !== undefined;
    return [name, isEmpty ? examplesOfEntry(entries) : value] as const;
  });
  return Object.fromEntries(filled);
}

/** The examples as the document shows them. */
const shownIn = ({ schema, example }: Content): readonly unknown[] =>
  example === undefined ? (resolved(schema).examples ?? []) : [example];

const answersShownIn = (content: Content): readonly unknown[] =>
  shownIn(content).map((one) => withEntries(content.schema, one));

/** The first example of an operation's request, which is JSON or a form. Throws if there is none. */
export function requestExample(method: string, template: string): Readonly<Record<string, unknown>> {
  const operation = document.paths[template]?.[method.toLowerCase()] as DocumentedOperation | undefined;
  const [example] = Object.values(operation?.requestBody?.content ?? {}).flatMap(shownIn);
  if (!isObject(example)) throw new Error(`${method} ${template} has no example`);
  return example;
}

/** Responses that repeat ids of their request, which is any text. */
const repeatsRequest = new Set(['POST /v1/worker-jobs/heartbeat']);

/**
 * What an exchange proves about the examples of the document: which example of the operation's request was accepted, and how the success differs from its
 * example. scripts/testing/documented-examples.mts reads these lines.
 */
export function proofsOf({ method, path: asked, sent, status, contentType, received }: Exchange): readonly object[] {
  const pathname = asked.split('?', 1)[0] ?? '';
  const template = templates.find(([, form]) => form.test(pathname))?.[0] ?? '';
  const operation = document.paths[template]?.[method.toLowerCase()] as DocumentedOperation | undefined;
  if (operation === undefined || status < 200 || status >= 300) return [];
  const name = `${method} ${template}`;
  const requests = Object.values(operation.requestBody?.content ?? {}).flatMap(shownIn);
  const accepted = requests.flatMap((example, index) =>
    isAsShown(example, sent) ? [{ operation: name, request: index }] : [],
  );
  const declared = operation.responses[String(status)];
  const response = declared?.$ref === undefined ? declared : document.components.responses[lastStep(declared.$ref)];
  const sentType = contentType?.split(';', 1)[0] ?? '';
  const [type, content] =
    Object.entries(response?.content ?? {}).find(
      ([one]) => one === sentType || one === sentType.replace(/\/.*/, '/*'),
    ) ?? [];
  if (type === undefined || content === undefined) return accepted;
  const { differences, compared } = compareWithAny(answersShownIn(content), received);
  if (differences.length > 0 && repeatsRequest.has(name)) return accepted;
  return [...accepted, { operation: name, success: `${status} ${type}`, differences, compared }];
}

const written = new Set<string>();

/** If DOCUMENTED_EXCHANGES names a folder, what each exchange proves is appended to a file there, each line once. */
export function recordExchange(exchange: Exchange): void {
  const folder = process.env.DOCUMENTED_EXCHANGES;
  if (folder === undefined) return;
  for (const proof of proofsOf(exchange)) {
    const line = JSON.stringify(proof);
    if (written.has(line)) continue;
    written.add(line);
    mkdirSync(folder, { recursive: true });
    appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${line}\n`);
  }
}
