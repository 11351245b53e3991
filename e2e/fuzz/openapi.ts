import { readFileSync } from 'node:fs';
import path from 'node:path';
import { allRoutes } from '@parley/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

/** The part of JSON Schema 2020-12 that docs/openapi.json uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly readOnly?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

/** One method of one path. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The scope that the key needs; undefined for routes that every key may use. */
  readonly scope: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  /** The content type of the body: JSON, or the first binary type that is accepted. */
  readonly mediaType: string;
  /** The schema of the 2xx response. */
  readonly answer: Schema | undefined;
}

type RawParameter = Parameter | { readonly $ref: string };

interface RawOperation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly RawParameter[];
  readonly requestBody?: { readonly content: Readonly<Partial<Record<string, { readonly schema: Schema }>>> };
  readonly responses: Readonly<Record<string, RawResponse | { readonly $ref: string }>>;
}

interface RawResponse {
  readonly content?: { readonly 'application/json'?: { readonly schema: Schema } };
}

interface Document {
  /** The methods of a path, and the parameters common to all of them. */
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, RawOperation>> & { readonly parameters?: readonly RawParameter[] }>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, RawResponse>>;
  };
}

const file = path.resolve(__dirname, '../../docs/openapi.json');
const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** The last segment of a reference. */
const lastStep = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

const declared = Object.entries(document.paths).flatMap(([at, item]) =>
  methods.flatMap((method) => {
    const raw = item[method];
    return raw === undefined ? [] : [{ operation: operationOf(method, at, raw, item.parameters ?? []), raw }];
  }),
);

/** Only the hosted gateway has a key for this operation: services/telephony/test/gateway-deployments.int.test.ts. */
const ofHostedGateway = 'authorize-outbound-call';

const declaredAt = new Map(allRoutes.map(({ id }, place) => [id, place]));
const placeOf = ({ id }: Operation): number => declaredAt.get(id) ?? declaredAt.size;

/**
 * Every operation of docs/openapi.json that accepts a key of a customer, worker or operator, in the order of the declarations, which creates what later ones
 * change. New routes are included as soon as they are declared.
 */
export const operations: readonly Operation[] = declared
  .flatMap(({ operation, raw }) => (isSigned(raw) || operation.id === ofHostedGateway ? [] : [operation]))
  .sort((a, b) => placeOf(a) - placeOf(b));

/** The routes of carriers: they accept a signed form instead of a key. */
export interface Webhook {
  readonly id: string;
  /** One path for each carrier. */
  readonly paths: readonly string[];
  readonly form: Schema;
}

export const webhooks: readonly Webhook[] = declared.flatMap(({ operation: { id, path: at, parameters }, raw }) => {
  if (!isSigned(raw)) return [];
  const providers = parameters.find(({ name }) => name === 'provider')?.schema.enum ?? [];
  const form = raw.requestBody?.content['application/x-www-form-urlencoded']?.schema;
  if (form === undefined || providers.length === 0) throw new Error(`${id} declares no form or no carrier`);
  return [{ id, paths: providers.map((provider) => at.replace('{provider}', String(provider))), form }];
});

function isSigned({ security = [] }: RawOperation): boolean {
  return security.some((scheme) => 'carrierSignature' in scheme);
}

function operationOf(method: string, at: string, raw: RawOperation, common: readonly RawParameter[]): Operation {
  const found = Object.entries(raw.responses).find(([status]) => status.startsWith('2'))?.[1];
  const success = found !== undefined && '$ref' in found ? document.components.responses[lastStep(found.$ref)] : found;
  return {
    // The id as in the declaration of the route.
    id: raw.operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    method: method.toUpperCase(),
    path: at,
    scope: raw.security?.flatMap((entry) => Object.values(entry).flat())[0],
    parameters: [...common, ...(raw.parameters ?? [])].map((entry) =>
      '$ref' in entry ? parameterAt(entry.$ref) : entry,
    ),
    body: raw.requestBody?.content['application/json']?.schema,
    mediaType: mediaTypeOf(Object.keys(raw.requestBody?.content ?? {})),
    answer: success?.content?.['application/json']?.schema,
  };
}

function parameterAt(ref: string): Parameter {
  const found = document.components.parameters[lastStep(ref)];
  if (found === undefined) throw new Error(`${ref} leads nowhere`);
  return { ...found, schema: resolved(found.schema) };
}

/** The schema without a reference at its top level, and with the schemas of `allOf` merged. */
export function resolved(schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[lastStep(schema.$ref)];
    if (target === undefined) throw new Error(`${schema.$ref} leads nowhere`);
    return resolved(target);
  }
  const { allOf, ...rest } = schema;
  if (allOf === undefined) return schema;
  return allOf.map(resolved).reduce<Schema>(
    (all, part) => ({
      ...all,
      ...part,
      properties: { ...all.properties, ...part.properties },
      required: [...(all.required ?? []), ...(part.required ?? [])],
    }),
    rest,
  );
}

/** The examples that the document shows of a schema. Those of its parts in `allOf` are not its own. */
export function examplesOf(schema: Schema | undefined): readonly unknown[] {
  const ref = schema?.$ref;
  return ref === undefined ? (schema?.examples ?? []) : examplesOf(document.components.schemas[lastStep(ref)]);
}

/** The alternative schemas of a value (oneOf, anyOf), each merged with the rest of the schema. */
export function branchesOf(schema: Schema): readonly Schema[] | undefined {
  const { oneOf, anyOf, ...rest } = resolved(schema);
  const branches = oneOf ?? anyOf;
  return branches?.map((branch) => ({ ...rest, ...resolved(branch) }));
}

/** The names of the top-level fields of a response. */
export const fieldsOf = (schema: Schema | undefined): readonly string[] =>
  schema === undefined ? [] : Object.keys(resolved(schema).properties ?? {});

const ajv = new Ajv2020({ strict: false });
addFormats(ajv);
ajv.addSchema({ $id: 'parley', components: document.components });
const validators = new Map<Schema, ValidateFunction>();

function mediaTypeOf(types: readonly string[]): string {
  return types.includes('application/json') ? 'application/json' : (types[0] ?? 'application/json');
}

/** Whether a body is valid according to the document. */
export function isValid(schema: Schema, value: unknown): boolean {
  let validate = validators.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"parley#/components')) as object,
    );
    validators.set(schema, validate);
  }
  return validate(value);
}
