import { AppError } from '@parley/errors';
import { ArrayMaxSize, IsArray, IsInt, IsString, Max, Min, validateSync } from 'class-validator';
import { JsonObjectWithin, Text } from './constraints';
import {
  AbsentCode,
  BelongsElsewhere,
  Closed,
  Ignores,
  ListOf,
  Nested,
  Nullable,
  Open,
  Optional,
  ReadOnly,
  Required,
  Rule,
} from './decorators';
import { validate, type ValidateOptions } from './validate';

@Closed()
class Inner {
  @Required() @IsInt() @Min(1) @Max(5) count!: number;
}

@Closed()
@AbsentCode('navigation_enabled_required')
class Section {
  @Required() @Nullable() @IsInt() level!: number | null;
}

@Open()
class Notes {
  @Optional() @Nested(() => Inner) inner?: Inner;
}

class Square {
  @Required() @Text() kind!: string;
  @Required() @IsInt() side!: number;
}

class Circle {
  @Required() @Text() kind!: string;
  @Required() @IsInt() radius!: number;
}

const shapes = { property: 'kind', classes: { square: () => Square, circle: () => Circle } };

class Base {
  @Required() @Text({ min: 2, max: 3 }) name!: string;
}

@BelongsElsewhere('PUT /v1/elsewhere', ['moved', 'inner'])
@Ignores('created_at')
@Rule((value: Body) => (value.few && value.few.length > 1 && value.name === 'one' ? 'few must hold one' : undefined))
class Body extends Base {
  @Optional() @Nested(() => Inner) inner?: Inner;
  @Optional() @Nullable() @Nested(() => Inner) nullable?: Inner | null;
  @Optional() @ArrayMaxSize(2) @ListOf(() => Inner) many?: Inner[];
  @Optional() @IsArray() @ArrayMaxSize(2) @Text({ max: 2 }, { each: true }) few?: string[];
  @Optional() @ListOf(shapes, { orText: { max: 4 } }) shapes?: (string | Square | Circle)[];
  @Optional() @Nested(() => Section) section?: Section;
  @Optional() @JsonObjectWithin(64) @Nested(() => Notes) notes?: Notes & Record<string, unknown>;
  @Optional() @JsonObjectWithin(64) free?: Record<string, unknown>;
  @Optional() @ReadOnly() @IsInt() version?: number;
}

const body = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({ name: 'abc', ...fields });

function refused(value: unknown, options?: ValidateOptions): AppError {
  try {
    validate(Body, value, options);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('accepted');
}

describe('values that are refused with a message that begins with the path', () => {
  it.each<[string, unknown, string]>([
    ['a missing required field', {}, 'name'],
    ['null for a field that is not nullable', body({ few: null }), 'few'],
    ['null for a required field', { name: null }, 'name'],
    ['undefined for a required field', { name: undefined }, 'name'],
    ['an array instead of an object', body({ inner: [] }), 'inner'],
    ['an array that contains the object', body({ inner: [{ count: 1 }] }), 'inner'],
    ['a text instead of an object', body({ inner: 'x' }), 'inner'],
    ['an object instead of an array', body({ many: { count: 1 } }), 'many'],
    ['an array-like object instead of an array', body({ many: { length: 1, 0: { count: 1 } } }), 'many'],
    ['null as an item', body({ many: [null] }), 'many[0]'],
    ['an array as an item', body({ many: [[]] }), 'many[0]'],
    ['an invalid second item', body({ many: [{ count: 1 }, { count: 6 }] }), 'many[1].count'],
    ['a list with too many items', body({ many: [{ count: 1 }, { count: 1 }, { count: 1 }] }), 'many'],
    ['an invalid text in a list', body({ few: ['a', 'abc'] }), 'few[1]'],
    ['a text instead of a list of texts', body({ few: 'ab' }), 'few'],
    ['a number in quotes', body({ inner: { count: '5' } }), 'inner.count'],
    ['a fraction', body({ inner: { count: 1.5 } }), 'inner.count'],
    ['infinity', body({ inner: { count: Number.POSITIVE_INFINITY } }), 'inner.count'],
    ['a boolean instead of a number', body({ inner: { count: true } }), 'inner.count'],
    ['an unknown field of a closed object', body({ inner: { count: 1, other: 1 } }), 'inner.other'],
    ['an unknown field', body({ other: 1 }), 'other'],
    ['an unknown field named constructor', body({ constructor: 1 }), 'constructor'],
    ['an unknown field named toString', body({ toString: 1 }), 'toString'],
    ['a field that belongs to another route', body({ moved: 1 }), 'moved'],
    ['an unknown kind of a union', body({ shapes: [{ kind: 'toString' }] }), 'shapes[0].kind'],
    ['an object of a union without its kind', body({ shapes: [{ side: 1 }] }), 'shapes[0].kind'],
    ['fields of another kind of a union', body({ shapes: [{ kind: 'circle', side: 1 }] }), 'shapes[0].side'],
    ['a too long text in a union of text and objects', body({ shapes: ['abcde'] }), 'shapes[0]'],
    ['a number in a union of text and objects', body({ shapes: [5] }), 'shapes[0]'],
    ['a violation of a rule over several fields', { name: 'one', few: ['a', 'b'] }, 'few'],
    [
      'an invalid declared field within a free-form object',
      body({ notes: { inner: { count: 9 } } }),
      'notes.inner.count',
    ],
    ['a free-form object that is too large', body({ free: { a: 'x'.repeat(64) } }), 'free'],
    ['a list instead of a free-form object', body({ free: [] }), 'free'],
    ['U+0000 deep in a free-form object', body({ free: { a: [{ b: '\0' }] } }), 'free'],
    ['half a surrogate pair in a field name of a free-form object', body({ free: { '\ud800': 1 } }), 'free'],
  ])('%s', (_, value, path) => {
    const error = refused(value);
    expect([error.code, error.status]).toEqual(['BadRequestError', 400]);
    expect(error.message.split(/[ :]/)[0]).toBe(path);
  });

  it.each([[[]], ['x'], [5], [null], [undefined], [true]])('%p is refused as a body', (value) => {
    expect(refused(value).code).toBe('BadRequestError');
  });

  it('the message begins with the option path, if it is given', () => {
    expect(refused(body({ name: 1 }), { path: 'metadata.opening' }).message).toMatch(/^metadata\.opening\.name /);
    expect(refused([], { path: 'metadata.opening' }).message).toMatch(/^metadata\.opening /);
  });

  it('reports the violated rule that is declared first', () => {
    expect(refused(body({ inner: { count: 'x' } })).message).toContain('integer');
  });

  it('the message for a field of another route names that route', () => {
    expect(refused(body({ moved: 1 })).message).toContain('PUT /v1/elsewhere');
  });

  it.each([
    ['nam', 'name'],
    ['Few', 'few'],
    ['shaeps', 'shapes'],
    ['nullabel', 'nullable'],
  ])('the message for the unknown field %s suggests %s', (sent, meant) => {
    expect(refused({ ...body(), [sent]: 1 }).message.endsWith(`${meant}?`)).toBe(true);
  });

  it('the message suggests no field if none is similar', () => {
    expect(refused(body({ entirely_different: 1 })).message).not.toContain('?');
    expect(refused(body({ ['x'.repeat(100_000)]: 1 })).message.length).toBeLessThan(300);
  });
});

describe('values that are accepted', () => {
  it('absent optional fields stay absent', () => {
    const { value } = validate(Body, body());
    expect(Object.keys(value)).toEqual(['name']);
    expect(value).toBeInstanceOf(Body);
  });

  it('null is kept for a nullable field', () => {
    expect(validate(Body, body({ nullable: null })).value.nullable).toBeNull();
  });

  it('nested values become instances of their classes, free-form objects stay plain', () => {
    const { value } = validate(
      Body,
      body({ many: [{ count: 1 }], shapes: ['a', { kind: 'square', side: 2 }], free: { a: [] } }),
    );
    expect(value.many?.[0]).toBeInstanceOf(Inner);
    expect(value.shapes?.[1]).toBeInstanceOf(Square);
    expect(value.free).toEqual({ a: [] });
  });

  it('an open object keeps unknown fields', () => {
    const notes = { inner: { count: 1 }, other: { deep: [1, null] }, constructor: 1 };
    expect(JSON.parse(JSON.stringify(validate(Body, body({ notes })).value.notes))).toEqual(notes);
  });

  it('read-only fields are accepted with any value and dropped', () => {
    const { value } = validate(Body, body({ created_at: 5, version: 'x' }));
    expect(Object.keys(value)).toEqual(['name']);
  });

  it('a field that the class declares is accepted even if it also belongs to another route', () => {
    expect(validate(Body, body({ inner: { count: 1 } })).value.inner?.count).toBe(1);
  });

  it('the input is not changed, and objects with a class are copied', () => {
    const sent = body({ inner: { count: 1 } });
    const { value } = validate(Body, Object.freeze(sent));
    expect(value.inner).not.toBe(sent['inner']);
  });
});

describe('unknown fields with the option unknown: ignore', () => {
  it('are dropped', () => {
    const { value } = validate(Body, body({ other: 1, shapes: [{ kind: 'square', side: 1, color: 2 }] }), {
      unknown: 'ignore',
    });
    expect(JSON.parse(JSON.stringify(value))).toEqual(body({ shapes: [{ kind: 'square', side: 1 }] }));
  });

  it('are dropped in an object with @Closed(false), even if its class extends a closed one', () => {
    @Closed(false)
    class Extended extends Inner {}
    expect(validate(Extended, { count: 1, other: 1 }, { unknown: 'ignore' }).value).toEqual({ count: 1 });
    expect(() => validate(Extended, { count: 1, other: 1 })).toThrow('other');
  });

  it('are still refused in closed objects, and if they belong to another route', () => {
    expect(refused(body({ inner: { count: 1, other: 1 } }), { unknown: 'ignore' }).code).toBe('BadRequestError');
    expect(refused(body({ moved: 1 }), { unknown: 'ignore' }).code).toBe('BadRequestError');
  });
});

describe('a section with its own error code', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['an empty object', {}],
  ])('%s is refused with that code', (_, section) => {
    expect(refused(body({ section })).code).toBe('navigation_enabled_required');
  });

  it.each<[string, unknown]>([
    ['an array', []],
    ['a wrong value', { level: 'x' }],
    ['an unknown field', { level: 1, other: 1 }],
  ])('%s is refused with BadRequestError', (_, section) => {
    expect(refused(body({ section })).code).toBe('BadRequestError');
  });

  it('null is accepted for its required nullable field', () => {
    expect(validate(Body, body({ section: { level: null } })).value.section?.level).toBeNull();
  });
});

describe('prototype pollution', () => {
  it('no body changes a prototype', () => {
    const own = JSON.parse(
      '{"name":"abc","notes":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    ) as unknown;
    expect(refused(own).code).toBe('BadRequestError');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('a field named __proto__ is refused', () => {
    expect(refused(JSON.parse('{"name":"abc","__proto__":{"few":["a"]}}')).code).toBe('BadRequestError');
  });

  it('inherited fields are ignored', () => {
    expect(refused(Object.create({ name: 'abc' })).code).toBe('BadRequestError');
  });
});

it('a field with rules must be declared as required or optional', () => {
  class Undeclared {
    @IsString() name!: string;
  }
  expect(() => validate(Undeclared, { name: 'x' })).toThrow('@Required');
});

it('the classes also work with class-validator', () => {
  expect(validateSync(Object.assign(new Inner(), { count: 6 })).map((violation) => violation.property)).toEqual([
    'count',
  ]);
});
