import type { FieldError } from '@parley/errors';

/** A value of a parsed schema. */
type Json = unknown;

const bounds = { depth: 8, properties: 200, enumValues: 200 } as const;

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
export const formats = ['date', 'date-time', 'email'] as const;

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: Json): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isNumber = (value: Json): boolean => typeof value === 'number' && Number.isFinite(value);
const isText = (value: Json): boolean => typeof value === 'string';
const isOneOf =
  (known: readonly string[]) =>
  (value: Json): boolean =>
    known.includes(String(value)) && typeof value === 'string';
const isScalar = (value: Json): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value);
const listOf = (value: Json, item: (one: Json) => boolean, most: number): boolean =>
  Array.isArray(value) && value.length > 0 && value.length <= most && value.every(item);

/**
 * The allowed keywords, with checks of their values. Each can be evaluated in time proportional to the size of the value, so patterns and references are not
 * allowed.
 */
const keywords: Readonly<Record<string, (value: Json) => boolean>> = {
  type: (value) => isOneOf(types)(value) || listOf(value, isOneOf(types), types.length),
  description: isText,
  title: isText,
  properties: isObject,
  required: (value) => Array.isArray(value) && value.every(isText),
  additionalProperties: (value) => value === false,
  items: isObject,
  enum: (value) => listOf(value, isScalar, bounds.enumValues),
  const: isScalar,
  anyOf: (value) => listOf(value, isObject, 16),
  minimum: isNumber,
  maximum: isNumber,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  format: isOneOf(formats),
};

/** Returns all errors in the schema of an extraction. */
export function schemaErrors(schema: Readonly<Record<string, Json>>): FieldError[] {
  const errors: FieldError[] = [];
  let properties = 0;
  const broken = (path: string, code: FieldError['code'], problem: string): void => {
    errors.push({ path, code, message: `${path} ${problem}` });
  };
  const walk = (value: Readonly<Record<string, Json>>, path: string, depth: number): void => {
    if (depth > bounds.depth) return broken(path, 'too_long', `is nested more than ${bounds.depth} deep`);
    for (const [keyword, given] of Object.entries(value)) {
      const at = `${path}.${keyword}`;
      const rule = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
      if (rule === undefined) broken(at, 'unknown_field', 'is not an allowed keyword of extraction schemas');
      else if (!rule(given)) broken(at, 'not_allowed', 'has a value that is not allowed');
    }
    const { properties: own, items, anyOf, required } = value;
    if (isObject(own)) {
      properties += Object.keys(own).length;
      for (const [name, one] of Object.entries(own)) {
        const at = `${path}.properties.${name}`;
        if (isObject(one)) walk(one, at, depth + 1);
        else broken(at, 'type', 'must be an object');
      }
    }
    const names = isObject(own) ? Object.keys(own) : [];
    if (Array.isArray(required) && required.some((name) => !names.includes(String(name))))
      broken(`${path}.required`, 'conflict_with', 'names a property that is not in properties');
    if (isObject(items)) walk(items, `${path}.items`, depth + 1);
    if (Array.isArray(anyOf))
      for (const [n, one] of anyOf.entries()) if (isObject(one)) walk(one, `${path}.anyOf[${n}]`, depth + 1);
  };
  if (schema['type'] !== 'object') broken('schema.type', 'not_allowed', 'must be "object"');
  if (!isObject(schema['properties']) || Object.keys(schema['properties']).length === 0)
    broken('schema.properties', 'required', 'must have at least one property');
  walk(schema, 'schema', 0);
  if (properties > bounds.properties)
    broken('schema.properties', 'too_long', `has more than ${bounds.properties} properties in total`);
  return errors;
}
