import { AppError } from '@parley/errors';
import type { Bounds } from '../src/limits';
import type { Class } from '../src/rules/class-facts';
import { planOf } from '../src/rules/plan';
import { fieldPaths } from '../src/rules/resolved';
import { validate, type ValidateOptions } from '../src/rules/validate';

/** The subject of the tests: titles begin with the class; `base` is a valid body without the field. */
export interface Subject {
  readonly cls: Class;
  readonly base?: Readonly<Record<string, unknown>>;
  readonly options?: ValidateOptions;
  /** Fields that null clears. */
  readonly nullable?: readonly string[];
}

type Json = Record<string, unknown>;

/** A copy of the body with a value at a path such as `a.b[0].c`; missing objects and lists are created. */
export function withValue(base: Readonly<Json>, path: string, value: unknown): Json {
  const copy = structuredClone(base);
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  let at: Json = copy;
  steps.slice(0, -1).forEach((step, index) => {
    at[step] ??= /^\d+$/.test(steps[index + 1] ?? '') ? [] : {};
    at = at[step] as Json;
  });
  at[steps.at(-1) ?? ''] = value;
  return copy;
}

/** The error with which a body is refused. */
export function refusal(subject: Subject, body: unknown): AppError {
  try {
    validate(subject.cls, body, subject.options);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(body)?.slice(0, 200)}`);
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 60 ? `${text.slice(0, 40)}... (${text.length} characters)` : text;
};

/** The fields with accepted and with refused values, by class, in the current test file. */
const rows = { accepted: new Map<Class, Set<string>>(), refused: new Map<Class, Set<string>>() };

function noteRow(side: keyof typeof rows, { cls }: Subject, path: string): void {
  const paths = rows[side].get(cls) ?? new Set<string>();
  rows[side].set(cls, paths.add(path.replace(/\[\d+\].*$/, '')));
}

/** The declared defaults of a class by path, also those that the schema does not state. */
const defaultsIn = (cls: Class, at = ''): [string, unknown][] =>
  planOf(cls).fields.flatMap(({ name, facts }): [string, unknown][] => {
    const { nested } = facts;
    if (nested !== undefined && !nested.each && typeof nested.shape === 'function')
      return defaultsIn(nested.shape(), `${at}${name}.`);
    const declared: unknown = facts.default ?? facts.appliedDefault;
    return declared === undefined ? [] : [[`${at}${name}`, declared]];
  });

/**
 * Checks that every field of the class has accepted and refused values, and that its default is the expected one. Must be called after the rows.
 * @param defaults by path
 */
export function everyFieldHasRows(subject: Subject, defaults: Readonly<Json> = {}): void {
  it(`${subject.cls.name}: the defaults of all fields are the expected ones`, () => {
    expect(Object.fromEntries(defaultsIn(subject.cls))).toEqual(defaults);
  });

  it(`${subject.cls.name}: accepted and refused values are tested for every field`, () => {
    for (const side of ['accepted', 'refused'] as const) {
      const paths = [...(rows[side].get(subject.cls) ?? [])];
      const without = fieldPaths(subject.cls).filter(
        (field) => !paths.some((path) => path === field || path.startsWith(`${field}.`)),
      );
      expect({ side, without }).toEqual({ side, without: [] });
    }
  });
}

export function accepts(subject: Subject, path: string, values: readonly unknown[]): void {
  noteRow('accepted', subject, path);
  it.each(values.map((value) => [shown(value), value]))(
    `${subject.cls.name}.${path} %s is accepted unchanged`,
    (_, value) => {
      const body = withValue(subject.base ?? {}, path, value);
      const { value: read } = validate(subject.cls, body, subject.options);
      expect(JSON.parse(JSON.stringify(read))).toEqual(body);
    },
  );
}

/** The values are refused with 400 BadRequestError, whose message begins with the path of the field or of an item. */
export function refuses(subject: Subject, path: string, values: readonly unknown[]): void {
  noteRow('refused', subject, path);
  it.each(values.map((value) => [shown(value), value]))(
    `${subject.cls.name}.${path} %s is refused with an error that names the field`,
    (_, value) => {
      const error = refusal(subject, withValue(subject.base ?? {}, path, value));
      expect([error.code, error.status]).toEqual(['BadRequestError', 400]);
      expect(error.message.startsWith(path)).toBe(true);
    },
  );
}

const notNumbers = ['5', true, null, [], {}, Number.NaN, Number.POSITIVE_INFINITY];

/** Tests the values at and outside both bounds, and every wrong type. */
export function integerField(subject: Subject, path: string, { min, max }: Bounds): void {
  accepts(subject, path, [min, max]);
  refuses(subject, path, [min - 1, max + 1, min + 0.5, 2 ** 53 + 2, ...notNumbers]);
}

export function numberField(subject: Subject, path: string, { min, max }: Bounds): void {
  accepts(subject, path, [min, max, min + 0.5]);
  refuses(subject, path, [min - 0.001, max + 0.001, ...notNumbers]);
}

/** Texts are tested with ASCII characters and with emoji, because lengths count code points. */
/** Null is refused, or accepted if it clears the field. */
function nullOf(subject: Subject, path: string): void {
  if (subject.nullable?.includes(path)) accepts(subject, path, [null]);
  else refuses(subject, path, [null]);
}

export function textField(
  of: Subject,
  path: string,
  { min = 0, max }: { min?: number; max: number },
  around?: Json,
): void {
  // The other fields that the containing object requires.
  const subject = around ? { ...of, base: withValue(of.base ?? {}, path.slice(0, path.lastIndexOf('.')), around) } : of;
  accepts(subject, path, ['a'.repeat(Math.max(min, 1)), 'a'.repeat(max), '😀'.repeat(max)]);
  if (min === 0) accepts(subject, path, ['']);
  refuses(subject, path, [
    'a'.repeat(max + 1),
    '😀'.repeat(max + 1),
    `a\u0000`.padEnd(min, 'a'),
    '\ud800'.padEnd(min, 'a'),
  ]);
  refuses(subject, path, [...(min > 0 ? ['a'.repeat(min - 1)] : []), 5, true, ['a'], { a: 'a' }]);
  nullOf(subject, path);
}

export function enumField(subject: Subject, path: string, values: readonly string[]): void {
  accepts(subject, path, values);
  refuses(subject, path, ['no_such_value', `${values[0] ?? ''} `, '', 0, true, null, [values[0]], {}]);
}

export function booleanField(subject: Subject, path: string): void {
  accepts(subject, path, [true, false]);
  refuses(subject, path, ['true', 0, 1, null, [], {}]);
}

/** A list of texts or objects that `item` creates: tests lengths at and outside both bounds, and values that are not lists. */
export function listField(
  subject: Subject,
  path: string,
  { min, max }: Bounds,
  item: (index: number) => unknown,
): void {
  const list = (length: number): unknown[] => Array.from({ length }, (_, index) => item(index));
  accepts(subject, path, [list(min), list(max)]);
  refuses(subject, path, [list(max + 1), ...(min > 0 ? [list(min - 1)] : []), item(0), 'de', 5, [null], [5]]);
  nullOf(subject, path);
}

/** Tests that an object is accepted, and that arrays, texts, numbers and booleans are refused. */
export function objectField(subject: Subject, path: string, valid: unknown): void {
  accepts(subject, path, [valid]);
  refuses(subject, path, [[], [valid], 'x', 5, true]);
}

/** The object refuses unknown fields, even if the route ignores them elsewhere. */
export function closedObject(subject: Subject, path = ''): void {
  it.each(['refuse', 'ignore'] as const)(
    `${subject.cls.name} ${path} refuses unknown fields (validation option for other objects: %s)`,
    (unknown) => {
      const name = path === '' ? 'no_such_field' : `${path}.no_such_field`;
      const error = refusal(
        { ...subject, options: { ...subject.options, unknown } },
        withValue(subject.base ?? {}, name, 1),
      );
      expect([error.code, error.status]).toEqual(['BadRequestError', 400]);
      expect(error.message.startsWith(name)).toBe(true);
    },
  );
}

export function requiredFields(subject: Subject, names: readonly string[]): void {
  it.each(names)(`${subject.cls.name}.%s is required`, (name) => {
    const { [name]: _, ...rest } = subject.base ?? {};
    const error = refusal(subject, rest);
    expect([error.code, error.status]).toEqual(['BadRequestError', 400]);
    expect(error.message.startsWith(name)).toBe(true);
  });
}

/** The fields are accepted and not contained in the value. */
export function ignoredFields(subject: Subject, names: readonly string[]): void {
  it.each(names)(`${subject.cls.name}.%s is read-only: ignored in a body`, (name) => {
    const { value } = validate(subject.cls, { ...subject.base, [name]: 'as read' }, subject.options);
    expect(JSON.parse(JSON.stringify(value))).toEqual(subject.base ?? {});
  });
}
