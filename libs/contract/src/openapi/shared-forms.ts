import type { JsonSchema } from '../schema/json-schema-of';

type Schemas = Record<string, JsonSchema>;

interface ObjectSchema extends JsonSchema {
  readonly properties: Schemas;
  readonly required?: readonly string[];
}

/** Whether an object schema neither refuses nor defines additional fields, so that each part of an `allOf` can be validated independently. */
const isExtensible = (schema: JsonSchema): schema is ObjectSchema =>
  schema.type === 'object' && 'properties' in schema && !('additionalProperties' in schema);

const worthwhile = 100;

/** Whether every value of `schema` is also valid for `base`, because it has the same fields and additional ones. */
const extendsIt = (schema: ObjectSchema, base: ObjectSchema): boolean =>
  Object.keys(base.properties).length < Object.keys(schema.properties).length &&
  Object.entries(base.properties).every(
    ([name, one]) => JSON.stringify(schema.properties[name]) === JSON.stringify(one),
  ) &&
  Object.keys(base.properties).every((name) => base.required?.includes(name) === schema.required?.includes(name));

function extended(base: string, { properties: known }: ObjectSchema, schema: ObjectSchema): JsonSchema {
  const { description, properties, required = [] } = schema;
  const own = Object.entries(properties).filter(([name]) => !(name in known));
  const needed = required.filter((name) => own.some(([field]) => field === name));
  const rest = { type: 'object', properties: Object.fromEntries(own), ...(needed.length > 0 && { required: needed }) };
  return { description, allOf: [{ $ref: `#/components/schemas/${base}` }, rest] };
}

/** Expresses an object that has all fields of another object as that object plus the remaining fields, for example a key with its token. */
export function sharingForms(schemas: Schemas): Schemas {
  const objects = Object.entries(schemas).filter((entry): entry is [string, ObjectSchema] => isExtensible(entry[1]));
  const sizes = new Map(objects.map(([name, { properties }]) => [name, JSON.stringify(properties).length]));
  const bySize = objects
    .filter(([name]) => (sizes.get(name) ?? 0) > worthwhile)
    .sort(([one], [other]) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0));
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (!isExtensible(schema)) return [name, schema];
      const base = bySize.find(([, of]) => extendsIt(schema, of));
      return [name, base === undefined ? schema : extended(base[0], base[1], schema)];
    }),
  );
}
