import fc from 'fast-check';
import { branchesOf, resolved, type Schema } from './openapi';

/**
 * Values that a schema cannot describe: existing ids, supported languages, hosts that cannot be resolved. Called with the name of the field, or `name[]` for
 * the items of a list; undefined: use only the schema.
 */
export type Hints = (name: string, schema: Schema) => fc.Arbitrary<unknown> | undefined;

export interface ArbitraryOptions {
  readonly hints: Hints;
  /** none: only required fields. some: usually few of the optional fields, so that rules about several fields do not refuse everything. */
  readonly optional: 'none' | 'some';
}

/** Generates values that satisfy the schema, with a preference for its limits. */
export function arbitraryOf(schema: Schema, options: ArbitraryOptions, name = ''): fc.Arbitrary<unknown> {
  const target = resolved(schema);
  const hinted = options.hints(name, target);
  if (hinted !== undefined) return hinted;
  if ('const' in target) return fc.constant(target.const);
  if (target.enum !== undefined) return fc.constantFrom(...target.enum);
  const branches = branchesOf(target);
  if (branches !== undefined) return fc.oneof(...branches.map((branch) => arbitraryOf(branch, options, name)));
  if (target.type === undefined) return jsonOf(2);
  const types = [target.type].flat();
  return fc.oneof(...types.map((type) => ofType(type, target, options, name)));
}

function ofType(type: string, schema: Schema, options: ArbitraryOptions, name: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return numberOf(type, schema);
    case 'string':
      return textOf(schema);
    case 'array':
      return listOf(schema, options, name);
    case 'object':
      return objectOf(schema, options, name);
    default:
      throw new Error(`no generator for the type ${type}`);
  }
}

function numberOf(type: 'integer' | 'number', { minimum, maximum }: Schema): fc.Arbitrary<number> {
  const min = minimum ?? -1_000_000;
  const max = maximum ?? 1_000_000;
  const inner =
    type === 'integer' ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true }).map((value) => value + 0);
  return fc.oneof(inner, fc.constantFrom(min, max));
}

/** Text in many scripts, with emoji of several code points, right-to-left marks, and characters that may cause errors in databases and templates. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    'Grüße',
    '漢字',
    'שלום',
    '\u202eevil',
    '👩‍👩‍👧‍👦🇪🇪',
    'e\u0301',
    "'; drop table agents; --",
    '{{name}}',
    '%s %00 ${x}',
    '\u2028',
  ),
);

const cut = (text: string, max: number): string => [...text].slice(0, max).join('');

function textOf({ pattern, format, minLength = 0, maxLength = 2_000 }: Schema): fc.Arbitrary<string> {
  if (format === 'uri') return fc.nat(9_999).map((number) => `https://host-${number}.invalid/hook?n=${number}`);
  if (format === 'date-time') return futureTime;
  const fits = (text: string): boolean => [...text].length >= minLength && [...text].length <= maxLength;
  if (pattern !== undefined) return matching(new RegExp(pattern, 'u')).filter(fits);
  const texts = fc.oneof(
    { weight: 4, arbitrary: anyText },
    { weight: 1, arbitrary: fc.constantFrom('x', '😀').map((one) => one.repeat(Math.min(maxLength, 2_000))) },
  );
  return texts.map((text) => cut(text.padEnd(minLength, 'x'), maxLength));
}

/** fast-check generates texts for a pattern, except for patterns with Unicode classes; for those, letters and phrases are used. */
function matching(pattern: RegExp): fc.Arbitrary<string> {
  if (!pattern.source.includes('\\p{')) return fc.stringMatching(pattern, { size: 'small' });
  return fc.oneof(anyText, fc.constantFrom('One moment', 'Ähm', '😀')).filter((text) => pattern.test(text));
}

/** Between a day and a month from now. */
export const futureTime: fc.Arbitrary<string> = fc
  .integer({ min: 86_400_000, max: 30 * 86_400_000 })
  .map((ahead) => new Date(Date.now() + ahead).toISOString());

function listOf(schema: Schema, options: ArbitraryOptions, name: string): fc.Arbitrary<unknown[]> {
  const { minItems: minLength = 0, maxItems = 100, items = {} } = schema;
  const item = arbitraryOf(items, options, `${name}[]`);
  const bounds = { minLength, maxLength: Math.min(maxItems, minLength + 5) };
  return schema.uniqueItems === true
    ? fc.uniqueArray(item, { ...bounds, selector: (value) => JSON.stringify(value) })
    : fc.array(item, bounds);
}

function objectOf(schema: Schema, options: ArbitraryOptions, name: string): fc.Arbitrary<object> {
  const { properties, required = [], additionalProperties, propertyNames, maxProperties = 4 } = schema;
  if (properties === undefined) {
    const keys = propertyNames === undefined ? anyName : arbitraryOf(propertyNames, options, '').map(String);
    const values =
      typeof additionalProperties === 'object' ? arbitraryOf(additionalProperties, options, `${name}.*`) : jsonOf(2);
    return fc.dictionary(keys, values, { maxKeys: Math.min(maxProperties, 4), noNullPrototype: true });
  }
  const fields = Object.fromEntries(
    Object.entries(properties).map(([field, inner]) => [field, arbitraryOf(inner, options, field)]),
  );
  const record = (names: readonly string[]): fc.Arbitrary<object> =>
    fc.record(Object.fromEntries(names.map((field) => [field, fields[field] ?? fc.constant(null)])), {
      noNullPrototype: true,
    });
  if (options.optional === 'none') return record(required);
  const others = Object.keys(properties).filter((field) => !required.includes(field));
  const some = fc.oneof(
    { weight: 4, arbitrary: fc.subarray(others, { maxLength: Math.min(3, others.length) }) },
    { weight: 1, arbitrary: fc.subarray(others) },
  );
  return some.chain((names) => record([...required, ...names]));
}

const anyName = anyText.filter((text) => text !== '__proto__' && text !== '');

/** Arbitrary JSON for a body: with numbers that JSON represents exactly, and without `__proto__`. */
export const jsonOf = (depth: number): fc.Arbitrary<unknown> => {
  const leaf = fc.oneof(anyText, fc.integer(), fc.constantFrom(true, false, null, 0.5, -1.25));
  if (depth === 0) return leaf;
  const inner = jsonOf(depth - 1);
  return fc.oneof(
    leaf,
    fc.array(inner, { maxLength: 3 }),
    fc.dictionary(anyName, inner, { maxKeys: 3, noNullPrototype: true }),
  );
};
