import { IsInt, Max, Min } from 'class-validator';
import { AppliedDefault, Default, Describe, Optional } from './decorators';
import { boundsOf, defaultOf, defaultsOf, resolve, Resolved } from './resolved';
import { validate } from './validate';

class Stored {
  @Optional() @IsInt() @Min(1) @Max(9) @Default(5) @Describe('How many.') count?: number;
  @Optional() @IsInt() @AppliedDefault(0) silent?: number;
  @Optional() @IsInt() derived?: number;
}

class Effective extends Resolved(Stored, ['derived']) {}

it('resolve() returns the stored value or the default of each field', () => {
  expect(resolve(Stored, { count: 7 }, ['derived'])).toEqual({ count: 7, silent: 0 });
  expect(resolve(Stored, null, ['derived'])).toEqual({ count: 5, silent: 0 });
});

it('a class made by Resolved() requires every field with the same type, but does not check bounds', () => {
  expect(validate(Effective, { count: 100, silent: 0 }).value).toEqual({ count: 100, silent: 0 });
  for (const wrong of [{ count: 1 }, { count: '1', silent: 0 }, { count: 1.5, silent: 0 }])
    expect(() => validate(Effective, wrong)).toThrow(expect.objectContaining({ status: 400 }));
});

it('Resolved() throws for a field that has neither a default nor a rule', () => {
  expect(() => Resolved(Stored, [])).toThrow('Stored.derived');
});

it('defaultsOf, defaultOf and boundsOf read defaults and bounds from the class', () => {
  expect(defaultsOf(Stored)).toEqual({ count: 5, silent: 0 });
  expect(defaultOf(Stored, 'count')).toBe(5);
  expect(() => defaultOf(Stored, 'derived')).toThrow('Stored.derived');
  expect(boundsOf(Stored, 'count')).toEqual({ min: 1, max: 9 });
  expect(() => boundsOf(Stored, 'derived')).toThrow('Stored.derived');
});
