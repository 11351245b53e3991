import fc from 'fast-check';
import { arbitraryOf, type Hints } from './arbitrary-of-schema';
import { branchesOf, isValid, resolved, type Schema } from './openapi';

/** A body with exactly one error. */
export interface InvalidValue {
  readonly what: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The smallest valid value; deterministic. */
function least(schema: Schema, hints: Hints, name: string): unknown {
  return fc.sample(arbitraryOf(schema, { hints, optional: 'none' }, name), { seed: 1, numRuns: 1 })[0];
}

/**
 * Bodies that violate one rule of a schema: each limit exceeded, each required field missing, each type wrong, unknown field names in closed objects. All of
 * them are checked to be invalid by the schema.
 */
export function invalidValuesOf(schema: Schema, hints: Hints): readonly InvalidValue[] {
  const errors: InvalidValue[] = [];
  const at = (what: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    if (what.includes('__proto__') || !isValid(schema, value))
      errors.push({ what, body: value as InvalidValue['body'] });
  };
  visit(schema, { hints, name: '', path: '', wrap: (value) => value, report: at });
  return errors;
}

interface Place {
  readonly hints: Hints;
  /** The name of the field, for hints. */
  readonly name: string;
  readonly path: string;
  /** Returns the whole body with a value in this place. */
  readonly wrap: (value: unknown) => unknown;
  readonly report: (what: string, body: unknown) => void;
}

function visit(schema: Schema, place: Place): void {
  const target = resolved(schema);
  for (const value of besides(target)) place.report(`${place.path} ${shown(value)}`, place.wrap(value));
  for (const branch of branchesOf(target) ?? [target]) {
    if (branch.properties !== undefined) visitFields(branch, place);
    if (typeof branch.additionalProperties === 'object') {
      const wrap = (value: unknown): unknown => place.wrap({ de: value });
      visit(branch.additionalProperties, { ...place, name: `${place.name}.*`, path: `${place.path}.de`, wrap });
    }
    if (branch.items !== undefined && branch.type === 'array') visitItems(branch, branch.items, place);
  }
}

function visitFields(schema: Schema, place: Place): void {
  const { properties = {}, required = [] } = schema;
  const base = least(schema, place.hints, '') as Record<string, unknown>;
  for (const name of required) {
    const { [name]: _, ...rest } = base;
    place.report(`${place.path} without ${name}`, place.wrap(rest));
  }
  for (const name of ['no_such_field', '__proto__', 'constructor', 'hasOwnProperty', ''])
    place.report(`${place.path} with the name ${JSON.stringify(name)}`, place.wrap(withField(base, name, 1)));
  for (const [name, inner] of Object.entries(properties)) {
    // Read-only fields are ignored, whatever they contain.
    if (inner.readOnly === true) continue;
    const path = place.path === '' ? name : `${place.path}.${name}`;
    visit(inner, { ...place, name, path, wrap: (value) => place.wrap(withField(base, name, value)) });
  }
}

function visitItems(schema: Schema, items: Schema, place: Place): void {
  const { minItems = 0, maxItems, uniqueItems } = schema;
  const name = `${place.name}[]`;
  const one = least(items, place.hints, name);
  if (maxItems !== undefined)
    place.report(`${place.path} of ${maxItems + 1}`, place.wrap(Array.from({ length: maxItems + 1 }, () => one)));
  if (minItems > 0)
    place.report(`${place.path} of ${minItems - 1}`, place.wrap(Array.from({ length: minItems - 1 }, () => one)));
  if (uniqueItems === true) place.report(`${place.path} twice the same`, place.wrap([one, one]));
  visit(items, { ...place, name, path: `${place.path}[0]`, wrap: (value) => place.wrap([value]) });
}

/** Adds an own property, also for `__proto__`, like JSON.parse does. */
export function withField(base: object, name: string, value: unknown): object {
  return Object.defineProperty({ ...base }, name, { value, enumerable: true, configurable: true, writable: true });
}

const wrongTypes = ['text', '5', 5, 1.5, -1, 2 ** 53 + 2, true, null, [], ['text'], [null], {}, { a: 1 }];

/** Values close to the limits of a schema. Some may be valid; the check of the whole body removes those. */
function besides(schema: Schema): readonly unknown[] {
  const values: unknown[] = [...wrongTypes];
  const { minimum, maximum, minLength, maxLength, pattern, format } = schema;
  if (minimum !== undefined) values.push(minimum - 1, minimum - 0.001);
  if (maximum !== undefined) values.push(maximum + 1, maximum + 0.001);
  if (minLength !== undefined && minLength > 0) values.push('x'.repeat(minLength - 1));
  if (maxLength !== undefined) values.push('x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1));
  if (pattern !== undefined) values.push('', ' ', 'é', '+0', '$5', 'a b', '\n');
  if (format === 'uri') values.push('host/path', '//host', 'http://', 'https://a b');
  if (format === 'date-time') values.push('2026-02-31T00:00:00Z', '2026-01-01', 'tomorrow', '2026-01-01T00:00:00');
  if (schema.enum !== undefined)
    values.push('no_such_value', `${String(schema.enum[0])} `, String(schema.enum[0]).toUpperCase());
  if (typeof schema.const === 'string') values.push(`${schema.const}x`);
  if (schema.maxProperties !== undefined) values.push(manyFields(schema.maxProperties + 1));
  if (schema.propertyNames !== undefined) values.push({ '': 'x' }, { 'ä ö': 'x' }, { ['x'.repeat(200)]: 'x' });
  return values;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const manyFields = (count: number): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `a${letters[index % 26] ?? ''}${letters[Math.floor(index / 26)] ?? ''}`,
      'x',
    ]),
  );

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 60 ? `${text.slice(0, 30)}... (${text.length} characters)` : text;
};
