import { allRoutes } from '../routes';
import { openApiDocument } from './document';

type Json = Record<string, unknown>;

const document = openApiDocument() as {
  paths: Record<string, Record<string, Json>>;
  webhooks: Record<string, Record<string, Json>>;
  components: Record<'schemas' | 'parameters' | 'headers' | 'responses' | 'examples', Record<string, Json>>;
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Yields every object inside a value, together with its path. */
function* within(value: unknown, at: string): Generator<[string, Json]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* within(item, `${at}/${index}`);
  if (!isObject(value)) return;
  yield [at, value];
  for (const [name, inner] of Object.entries(value)) yield* within(inner, `${at}/${name}`);
}

const isDescribed = (one: unknown): boolean =>
  isObject(one) &&
  (typeof one.$ref === 'string' || (typeof one.description === 'string' && /^\S.*\S$/s.test(one.description)));

const schemas = [...within(document.components.schemas, '')];
/** Includes the parameters that all operations of a path share. */
const operations = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap(
  ({ parameters: common = [], ...methods }) =>
    Object.values(methods).map((one): Json => ({
      ...one,
      parameters: [...(common as Json[]), ...((one.parameters ?? []) as Json[])],
    })),
);

/** Returns a response, resolving it if it is a reference. */
const componentOf = (one: Json): Json =>
  typeof one.$ref === 'string' ? (document.components.responses[one.$ref.split('/').at(-1) ?? ''] ?? {}) : one;

/** The names of the items without a description. The failure message shows the names and their number. */
const undescribed = (things: [string, unknown][]): string[] => {
  expect(things.length).toBeGreaterThan(0);
  return things.filter(([, one]) => !isDescribed(one)).map(([at]) => at);
};

it('the OpenAPI document describes every schema', () => {
  expect(undescribed(Object.entries(document.components.schemas))).toEqual([]);
});

it('the OpenAPI document describes every property at any depth', () => {
  // A field that many schemas share is a component with its own description. Any other reference is to a class, whose description does not describe the field.
  const meaning = (name: string, one: unknown): unknown => {
    if (!isObject(one) || typeof one.$ref !== 'string') return one;
    return one.$ref === `#/components/schemas/${name}`
      ? document.components.schemas[name]
      : { ...one, $ref: undefined };
  };
  // A part of `allOf` has the type of the first one.
  const properties = schemas.flatMap(([at, { type, properties: own }]) =>
    (type === 'object' || /\/allOf\/\d+$/.test(at)) && isObject(own)
      ? Object.entries(own).map(([name, one]): [string, unknown] => [`${at}.${name}`, meaning(name, one)])
      : [],
  );
  expect(properties.length).toBeGreaterThan(1300);
  expect(undescribed(properties)).toEqual([]);
});

it('the OpenAPI document describes every operation, parameter, header and response', () => {
  expect(undescribed(operations.map((one) => [String(one.operationId), one]))).toEqual([]);
  expect(undescribed(operations.flatMap((one) => Object.entries((one.parameters ?? []) as Json[])))).toEqual([]);
  for (const kind of ['parameters', 'headers', 'responses'] as const)
    expect(undescribed(Object.entries(document.components[kind]))).toEqual([]);
});

it('the OpenAPI document gives every property, item and parameter a type', () => {
  const typing = ['type', '$ref', 'oneOf', 'anyOf', 'allOf', 'const', 'enum'];
  const untyped = schemas.filter(
    ([at, one]) =>
      /(\/properties\/[^/]+|\/items)$/.test(at) &&
      !at.endsWith('/properties/properties') &&
      !typing.some((name) => name in one),
  );
  expect(untyped.map(([at]) => at)).toEqual([]);
  const lists = schemas.filter(([, one]) => one.type === 'array' && !('items' in one));
  expect(lists.map(([at]) => at)).toEqual([]);
});

/** The schemas that apply to a value: the schema itself, and those that it refers to or consists of. */
function applied(schema: unknown): Json[] {
  if (!isObject(schema)) return [];
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  const target = name === undefined ? [] : [document.components.schemas[name]];
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (schema[key] ?? []) as Json[]);
  return [schema, ...[...target, ...parts].flatMap(applied)];
}
/** Yields every text in an example, with the schemas that apply to it. */
function* textsIn(value: unknown, of: readonly Json[], at: string): Generator<[string, string, readonly Json[]]> {
  if (typeof value === 'string') yield [at, value, of];
  else if (Array.isArray(value))
    for (const one of value)
      yield* textsIn(
        one,
        of.flatMap(({ items }) => applied(items)),
        at,
      );
  else if (isObject(value))
    for (const [name, one] of Object.entries(value)) {
      const field = of.flatMap(({ properties }) => applied(isObject(properties) ? properties[name] : undefined));
      yield* textsIn(one, field, `${at}.${name}`);
    }
}

it('the OpenAPI document gives times the format date-time, and bytes the format binary', () => {
  const shown = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    ((schema.examples ?? []) as unknown[]).flatMap((example) => [...textsIn(example, applied(schema), name)]),
  );
  const times = shown.filter(([, text]) => /^\d{4}-\d\d-\d\dT/.test(text));
  expect(times.length).toBeGreaterThan(80);
  const bare = times.filter(([, , of]) => !of.some(({ format }) => format === 'date-time')).map(([at]) => at);
  // Empty before the first publication.
  expect([...new Set(bare)]).toEqual(['AgentVariables.published_at']);
  const contents = [...within(document.paths, ''), ...within(document.components.responses, '')].flatMap(([, one]) =>
    Object.entries(isObject(one.content) ? one.content : {}),
  );
  const bytes = contents.filter(([type]) => /^(audio|image|application\/(octet-stream|pdf))/.test(type));
  expect(bytes.length).toBeGreaterThan(5);
  expect(bytes.filter(([, one]) => (one as { schema?: Json }).schema?.format !== 'binary')).toEqual([]);
});

it('the OpenAPI document declares for every object without properties whether it has additional properties', () => {
  const bare = schemas.filter(
    ([, one]) => one.type === 'object' && !['properties', 'additionalProperties', 'oneOf'].some((name) => name in one),
  );
  expect(bare.map(([at]) => at)).toEqual([]);
});

it('the OpenAPI document has a discriminator for every union of objects', () => {
  const unions = schemas.filter(
    ([, one]) =>
      Array.isArray(one.oneOf) &&
      one.oneOf.length > 1 &&
      one.oneOf.every((branch) => isObject(branch) && '$ref' in branch) &&
      !('discriminator' in one),
  );
  // The data of an event is a resource or a link to it, distinguished by the field `url`.
  expect(unions.map(([at]) => at).filter((at) => !/EventBase\/.*\/data$/.test(at))).toEqual([]);
});

it('the OpenAPI document states defaults in descriptions only, because generators make fields with a default required', () => {
  expect(schemas.filter(([at, one]) => /\/properties\/[^/]+$/.test(at) && 'default' in one)).toEqual([]);
});

it('the OpenAPI document contains an example of every JSON request and every successful JSON response', () => {
  const bodies = operations.flatMap(({ operationId, requestBody, responses }) => {
    const answers = Object.entries((responses ?? {}) as Record<string, Json>)
      .filter(([status]) => /^2\d\d$/.test(status))
      .map(([status, one]): [string, Json] => [status, componentOf(one)]);
    return [...(requestBody === undefined ? [] : [requestBody]), ...answers.map(([, one]) => one)].flatMap((one) => {
      const json = ((one as { content?: Record<string, Json> }).content ?? {})['application/json'];
      return json === undefined || String(operationId).startsWith('on') ? [] : [[operationId, json] as const];
    });
  });
  expect(bodies.length).toBeGreaterThan(allRoutes.length);
  const isShown = ({ schema }: Json): boolean => {
    const { $ref } = schema as Json;
    return (
      typeof $ref === 'string' && Array.isArray(document.components.schemas[$ref.split('/').at(-1) ?? '']?.examples)
    );
  };
  expect(bodies.filter(([, json]) => !isShown(json)).map(([id]) => id)).toEqual([]);
});

it('the OpenAPI document contains an example of every error', () => {
  const errors = Object.entries(document.components.schemas).filter(([name]) => name.startsWith('error.'));
  expect(errors.length).toBeGreaterThan(20);
  const bare = errors.filter(([, one]) => !Array.isArray(one.examples));
  expect(bare.map(([name]) => name)).toEqual([]);
});

it('the OpenAPI document has less than 520,000 bytes, and defines error responses only once', () => {
  expect(Buffer.byteLength(JSON.stringify(openApiDocument()))).toBeLessThan(520_000);
  const inline = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses as Record<string, Json>)
      .filter(([status, one]) => /^[45]/.test(status) && !('$ref' in one))
      .map(() => operationId),
  );
  expect(inline).toEqual([]);
});

it('the OpenAPI document has a unique operationId in camelCase for every operation', () => {
  const ids = operations.map((one) => String(one.operationId));
  expect(ids.filter((id) => !/^[a-z][a-zA-Z]*$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
