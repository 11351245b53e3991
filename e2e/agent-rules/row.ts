export type Json = Readonly<Record<string, unknown>>;

/** An expected value in a read: the path, beginning with `agent.` or `stack.`, and the value; undefined if the field must be absent. */
export type Shown = readonly [path: string, value: unknown];

/** One request and its expected result. */
export interface Row {
  /** What this row tests. */
  readonly what: string;
  readonly via: 'create' | 'update' | 'save';
  /** Fields with which the agent is created, in addition to the required ones. */
  readonly created?: Json;
  /** A voice-stack save that is sent before the request. */
  readonly given?: Json;
  readonly send: Json;
  /** The request is accepted, and a read then contains these values. */
  readonly shows?: readonly Shown[];
  /** The request is refused with this status and code, the message contains `names`, and nothing changes. */
  readonly refused?: { readonly names: string; readonly code?: string; readonly status?: number };
}

/** `nested('a.b', 1)` returns `{ a: { b: 1 } }`. */
export function nested(path: string, value: unknown): Json {
  return path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Json;
}

/** Merges objects recursively, field by field. */
export function merged(left: Json, right: Json): Json {
  const isObject = (value: unknown): value is Json =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.entries(right).reduce<Json>((result, [name, value]) => {
    const before = result[name];
    return { ...result, [name]: isObject(before) && isObject(value) ? merged(before, value) : value };
  }, left);
}

/** A field under test: its path in the body, which other fields the body needs, and its path in a read. */
export interface Field {
  readonly via: Row['via'];
  readonly path: string;
  /** Other fields without which the body would not be valid. */
  readonly alongside?: Json;
  readonly created?: Json;
  /** The path of the field in a read. Default: `stack.<path>` for a save, otherwise `agent.<path>`. False: the read does not contain it as it was sent. */
  readonly shown?: string | false;
}

const shownAt = ({ via, path, shown }: Field): string | false =>
  shown ?? (via === 'save' ? `stack.${path}` : `agent.${path}`);

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 50 ? `${text.slice(0, 30)}... (${text.length})` : text;
};

const body = ({ path, alongside = {} }: Field, value: unknown): Json => merged(alongside, nested(path, value));

export function accepted(field: Field, value: unknown, expected: unknown = value): Row {
  const at = shownAt(field);
  return {
    what: `${field.path} ${short(value)} is taken`,
    via: field.via,
    created: field.created,
    send: body(field, value),
    shows: at === false ? [] : [[at, expected]],
  };
}

/** The value is accepted but not shown in a read, because it is the default. */
export const omitted = (field: Field, value: unknown): Row => ({
  ...accepted(field, value),
  what: `${field.path} ${short(value)} is left out of the read`,
  shows: [[shownAt(field) || '', undefined]],
});

export const refused = (field: Field, value: unknown, code?: string): Row => ({
  what: `${field.path} ${short(value)} is refused`,
  via: field.via,
  created: field.created,
  send: body(field, value),
  refused: { names: lastNameOf(field.path), code },
});

/** Removes rows that send null for one of these names, for which null clears the setting (services/agents/test/taken-back.int.test.ts). */
export const clearedByNull = (rows: readonly Row[], names: readonly string[]): readonly Row[] =>
  rows.filter(({ send, refused: refusal }) => refusal === undefined || !names.some((name) => send[name] === null));

const lastNameOf = (path: string): string => path.split('.').at(-1) ?? path;

const others: readonly unknown[] = ['5', 'text', true, [], {}, null];

/** An integer within inclusive limits. A read may omit it if it is the default. */
export function integers(field: Field, [min, max]: readonly [number, number], atDefault?: number): readonly Row[] {
  return [
    ...[min, min + 1, max - 1, max].map((value) =>
      value === atDefault ? omitted(field, value) : accepted(field, value),
    ),
    ...(atDefault === undefined || atDefault === max ? [] : [omitted(field, atDefault)]),
    ...[min - 1, max + 1, min + 0.5, -min - 1, ...others].map((value) => refused(field, value)),
    { ...refused(field, 2 ** 53), refused: { names: '9007199254740992' } },
  ];
}

export function numbers(field: Field, [min, max]: readonly [number, number]): readonly Row[] {
  return [
    ...[min, min + 0.25, max].map((value) => accepted(field, value)),
    ...[min - 0.001, max + 0.001, ...others].map((value) => refused(field, value)),
  ];
}

export function choices(field: Field, values: readonly string[], atDefault?: string): readonly Row[] {
  const [first = ''] = values;
  return [
    ...values.map((value) => (value === atDefault ? omitted(field, value) : accepted(field, value))),
    ...['other', first.toUpperCase(), `${first} `, '', 5, true, null, [first], {}].map((value) =>
      refused(field, value),
    ),
  ];
}

export function booleans(field: Field): readonly Row[] {
  return [
    accepted(field, true),
    accepted(field, false),
    ...['true', 0, 1, [], {}, null].map((value) => refused(field, value)),
  ];
}

/** A text with a minimum and maximum number of characters, counted as Unicode code points. */
export function texts(field: Field, [min, max]: readonly [number, number]): readonly Row[] {
  const around = ['x', '😀', 'é'].flatMap((one) => [
    accepted(field, one.repeat(max)),
    refused(field, one.repeat(max + 1)),
  ]);
  const short = min > 0 ? [accepted(field, 'x'.repeat(min)), refused(field, 'x'.repeat(min - 1))] : [];
  return [...around, ...short, ...[5, true, [], {}, null].map((value) => refused(field, value))];
}

/** An object that accepts no other field names, and no values that are not objects. */
export function closed(field: Field, whole: Json, nullable: boolean): readonly Row[] {
  const extra = { ...refused(field, { ...whole, no_such_field: 1 }), refused: { names: 'no_such_field' } };
  const wrong = ['text', 5, true, [], [whole], ...(nullable ? [] : [null])];
  return [extra, ...wrong.map((value) => refused(field, value))];
}
