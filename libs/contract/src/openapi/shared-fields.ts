import type { JsonSchema } from '../schema/json-schema-of';

type Schemas = Record<string, JsonSchema>;
type OfField = (name: string, schema: JsonSchema) => JsonSchema;

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Applies `ofField` to all properties in a schema. */
function withFields(schema: JsonSchema, ofField: OfField): JsonSchema {
  const inside = (value: unknown): unknown => (isObject(value) ? withFields(value, ofField) : value);
  const part = (key: string, value: unknown): unknown => {
    if (key === 'properties') {
      return Object.fromEntries(Object.entries(value as Schemas).map(([name, one]) => [name, ofField(name, one)]));
    }
    if (key === 'items' || key === 'additionalProperties') return inside(value);
    return Array.isArray(value) && /^(one|any|all)Of$/.test(key) ? value.map(inside) : value;
  };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, part(key, value)]));
}

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The number of characters saved if this many equal schemas are replaced by references to one. */
const gainOf = (name: string, text: string, count: number): number =>
  count * (text.length - JSON.stringify(reference(name)).length) - text.length - name.length;

const leastGain = 40;

/** For each field name, the form of the field for which a component is worthwhile. */
function frequentForms(schemas: Schemas): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  const count: OfField = (name, schema) => {
    const forms = counts.get(name) ?? new Map<string, number>();
    const text = JSON.stringify(schema);
    counts.set(name, forms.set(text, (forms.get(text) ?? 0) + 1));
    return withFields(schema, count);
  };
  for (const schema of Object.values(schemas)) withFields(schema, count);
  const taken = new Set(Object.keys(schemas).map((name) => name.toLowerCase()));
  return new Map(
    [...counts].flatMap(([name, forms]) => {
      const [[text, gain] = ['', 0]] = [...forms]
        .map(([form, times]) => [form, gainOf(name, form, times)] as const)
        .sort(([, one], [, other]) => other - one);
      // Generators would merge type names that differ only in case and underscores.
      return gain < leastGain || taken.has(name.replaceAll('_', '')) ? [] : [[name, text]];
    }),
  );
}

/**
 * A field that many schemas define identically becomes one component with the name of the field. Only the most frequent form of each name is shared: with
 * numbered components, names would change whenever a field is added.
 */
export function sharingFields(schemas: Schemas): Schemas {
  const forms = frequentForms(schemas);
  const shared: OfField = (name, schema) =>
    forms.get(name) === JSON.stringify(schema) ? reference(name) : withFields(schema, shared);
  const all = Object.entries(schemas).map(([name, schema]) => [name, withFields(schema, shared)] as const);
  const fields = [...forms].map(([name, text]) => [name, withFields(JSON.parse(text) as JsonSchema, shared)] as const);
  return Object.fromEntries([...all, ...fields.sort(([one], [other]) => (one < other ? -1 : 1))]);
}
