/** Generates the operations for the command line: names, parameters and fields of bodies, from docs/openapi.json. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../platform/options.mts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly readOnly?: boolean;
}
interface Parameter {
  readonly $ref?: string;
  readonly in?: string;
  readonly name?: string;
  readonly schema?: Schema;
}
interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

const operationsFile = path.join(root, 'clients/cli/src/generated/operations.gen.ts');

export const document = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8')) as Document;

export const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';
const parameterOf = (given: Parameter): Parameter =>
  given.$ref === undefined ? given : (document.components.parameters[nameOf(given.$ref)] ?? given);

/** Resolves a reference, and merges the properties and required names of all `allOf` parts into the schema. */
export function whole(schema: Schema | undefined): Schema {
  const given = schema?.$ref === undefined ? schema : document.components.schemas[nameOf(schema.$ref)];
  const parts = (given?.allOf ?? []).map(whole);
  return {
    ...given,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), given?.properties) as NonNullable<
      Schema['properties']
    >,
    required: [...parts.flatMap(({ required }) => required ?? []), ...(given?.required ?? [])],
  };
}

/** How the command line parses the value of an option. */
function kindOf(schema: Schema): string {
  const { type, items } = whole(schema);
  const types = [type ?? []].flat().filter((one) => one !== 'null');
  const [only] = types;
  if (types.length === 1 && (only === 'string' || only === 'boolean')) return only;
  if (types.length === 1 && (only === 'integer' || only === 'number')) return 'number';
  if (types.length === 1 && only === 'array' && items && whole(items).type === 'string') return 'list';
  return 'json';
}

function describe(method: string, url: string, operation: Operation): object {
  const { operationId, summary, parameters = [], requestBody } = operation;
  const all = parameters.map(parameterOf);
  const named = (where: string): string[] => all.flatMap((one) => (one.in === where && one.name ? [one.name] : []));
  const query = all.flatMap(({ in: where, name, schema }) =>
    where === 'query' && name ? [[name, kindOf(schema ?? {})]] : [],
  );
  const body = whole(requestBody?.content?.['application/json']?.schema);
  const fields = Object.entries(body.properties ?? {}).filter(([, { readOnly }]) => readOnly !== true);
  return {
    id: operationId,
    method: method.toUpperCase(),
    url,
    summary,
    query: Object.fromEntries(query) as object,
    matches: named('header').includes('If-Match'),
    body: requestBody !== undefined,
    fields: Object.fromEntries(fields.map(([name, schema]) => [name, kindOf(schema)])),
    required: [...new Set(body.required)],
  };
}

function operationsText(): string {
  const rows = Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, operation]) => describe(method, url, operation)),
  );
  return `// Generated from docs/openapi.json
export type Kind = 'string' | 'number' | 'boolean' | 'list' | 'json';

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly summary: string;
  readonly query: Readonly<Record<string, Kind>>;
  /** Takes If-Match. */
  readonly matches: boolean;
  readonly body: boolean;
  /** Of the body. */
  readonly fields: Readonly<Record<string, Kind>>;
  readonly required: readonly string[];
}

export const operations: readonly Operation[] = ${JSON.stringify(rows)};
`;
}

export function generateOperations(): void {
  mkdirSync(path.dirname(operationsFile), { recursive: true });
  writeFileSync(operationsFile, operationsText());
}
