import { AppError } from '@parley/errors';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Class } from '../rules/class-facts';
import { planOf } from '../rules/plan';
import { validate } from '../rules/validate';
import { standaloneJsonSchemaOf } from '../schema/json-schema-of';
import { sampleOf } from '../schema/sample';
import { allRoutes } from './index';

/**
 * Values that every field of every body must refuse, derived from its schema: those beyond each bound, and those of another type. Bounds are not compared with literals. The
 * tables of `objects/*.test.ts` state bounds and defaults as literals; a class without one is still tested here.
 */
const bodies = new Map(allRoutes.flatMap(({ body }) => (body === undefined ? [] : [[body.name, body] as const])));

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly enum?: readonly unknown[];
}

/** Values at and beyond the bounds of a field, and values of every type. */
function valuesFor({ minimum, maximum, minLength, maxLength, enum: values = [] }: Bounds): readonly unknown[] {
  const numbers = [minimum, maximum].filter((bound) => bound !== undefined);
  const lengths = [minLength, maxLength].filter((length) => length !== undefined);
  return [
    ...[null, true, 'text', 7, -1, 0.5, {}, [], [null]],
    ...numbers.flatMap((bound) => [bound - 1, bound, bound + 1]),
    ...lengths.flatMap((length) => [length - 1, length, length + 1]).map((length) => 'x'.repeat(Math.max(0, length))),
    ...values.flatMap((value) => [value, `${String(value)} `]),
  ];
}

/** What a refusal names: the paths of fields, and the message, which begins with the first path. Undefined if the body is accepted. */
function refusedPaths(cls: Class, body: object): readonly string[] | undefined {
  try {
    validate(cls, body);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.status).toBe(400);
    const errors = (error.fields['errors'] ?? []) as readonly { readonly path: string }[];
    return [error.message, ...errors.map(({ path }) => path)];
  }
}

describe.each([...bodies])('%s', (_, cls) => {
  const schema = standaloneJsonSchemaOf(cls);
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  const isValid = ajv.compile(schema);
  const properties = schema['properties'] as Readonly<Record<string, Bounds>>;
  const fields = planOf(cls).fields.filter(({ facts }) => facts.readOnly !== true);

  it.each(fields.map(({ name }) => name))('%s: values that the schema does not allow are refused', (name) => {
    const sample = sampleOf(cls);
    const candidates = valuesFor(properties[name] ?? {}).map((value) => ({ ...sample, [name]: value }));
    const invalid = candidates.filter((body) => !isValid(body));
    const refused = invalid.map((body) => refusedPaths(cls, body)?.some((path) => path.startsWith(name)));
    expect(refused).toEqual(invalid.map(() => true));
    // A field that accepts any value of any type has no rule at all.
    expect(invalid.length).toBeGreaterThan(0);
  });
});
