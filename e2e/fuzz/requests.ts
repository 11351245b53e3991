import fc from 'fast-check';
import { anyText } from './arbitrary-of-schema';
import type { Operation, Schema } from './openapi';

/**
 * Query strings that violate a rule of the document: an unknown name, a value outside the limits, or a repeated name. All of them are refused with 400.
 * Organization and project are excluded, because access to them is checked before their form.
 */
export function invalidQueries({ parameters }: Operation): readonly string[] {
  const declared = parameters.filter(
    (parameter) => parameter.in === 'query' && !['organization_id', 'project_id'].includes(parameter.name),
  );
  return [
    'no_such_parameter=1',
    '__proto__=1',
    'constructor=1',
    'organization_id[]=1',
    ...declared.flatMap(({ name, schema }) => [
      `${name}=`,
      `${name}[]=1`,
      `${name}=1&${name}=2`,
      ...valuesAlongside(name, schema),
    ]),
  ];
}

function valuesAlongside(name: string, schema: Schema): readonly string[] {
  const { minimum, maximum, maxLength, type } = schema;
  const values: unknown[] = [];
  if (minimum !== undefined) values.push(minimum - 1);
  if (maximum !== undefined) values.push(maximum + 1);
  if (type === 'integer') values.push('1.5', '1e1', '0x10', ' 5', '05', 'five', '9007199254740993', '٥');
  if (schema.enum !== undefined) values.push('no_such_value', String(schema.enum[0]).toUpperCase());
  if (maxLength !== undefined) values.push('x'.repeat(maxLength + 1));
  if (name === 'cursor') values.push('x', '!', 'e30', 'W10=', '\u0000', '{"a":1}');
  return values.map((value) => `${name}=${encodeURIComponent(String(value))}`);
}

/** Arbitrary query strings: none of them may cause a 5xx. */
export function anyQuery({ parameters }: Operation): fc.Arbitrary<string> {
  const names = ['no_such', ...parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)];
  const value = fc.oneof(
    anyText.map(encodeURIComponent),
    fc.constantFrom(
      '%',
      '%zz',
      '%00',
      '%ff',
      '%F0%9F',
      '+',
      '&',
      '=',
      '#',
      'a=b',
      'x'.repeat(3_000),
      '-1',
      'null',
      'true',
      '[]',
      '%5B%5D',
    ),
  );
  return fc
    .array(fc.tuple(fc.constantFrom(...names), value), { minLength: 1, maxLength: 3 })
    .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join('&'));
}

/** Ids that cannot exist: malformed ones, ones of another kind, and texts that may cause errors in paths and databases. */
export const absentIds: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    'null',
    'undefined',
    '*',
    '%',
    '\u0000',
    'a\u0000b',
    '../agents',
    '..%2f',
    '/',
    '?',
    '#',
    '😀',
    'x'.repeat(4_000),
    'agt_',
    'agt_00000000000000000000000000',
    'agt_7zzzzzzzzzzzzzzzzzzzzzzzzz',
    'AGT_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'agt_0000000000000000000000000u',
    'call_00000000000000000000000000',
    'org_00000000000000000000000000',
    "' or 1=1 --",
    '__proto__',
    'constructor',
  ),
  anyText.filter((text) => text !== ''),
);

/** The path with this id for each parameter. */
export const pathWith = ({ path }: Operation, id: string): string =>
  path.replace(/\{\w+\}/g, () => encodeURIComponent(id));
