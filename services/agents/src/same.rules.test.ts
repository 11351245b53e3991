import { same, sameFields } from './same.rules';

describe('same and sameFields', () => {
  const shared = { a: [1] };

  it.each<[unknown, unknown, boolean]>([
    [undefined, undefined, true],
    [undefined, null, false],
    [null, null, true],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 2 }, false],
    [[1, 2], [2, 1], false],
    ['a', 'a', true],
    [shared, shared, true],
    [{ a: { b: [{ c: 1, d: 2 }] } }, { a: { b: [{ d: 2, c: 1 }] } }, true],
    [{ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 2 }] } }, false],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: undefined }, { b: undefined }, true],
    [{ a: undefined }, { a: null }, false],
    [[], {}, false],
    [{}, [], false],
    [{ 0: 'a' }, ['a'], false],
    [[1], [1, 2], false],
    [[1, 2], [1], false],
    [{}, null, false],
    [0, '0', false],
    [0, false, false],
    [0, -0, true],
  ])('same(%j, %j) is %s', (left, right, equal) => {
    expect(same(left, right)).toBe(equal);
  });

  it.each<[Record<string, unknown>, Record<string, unknown>, boolean]>([
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: shared }, { a: shared }, true],
  ])('sameFields(%j, %j) is %s', (left, right, equal) => {
    expect(sameFields(left, right)).toBe(equal);
  });
});
