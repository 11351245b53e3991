import * as fc from 'fast-check';
import { canonicalJson } from './canonical-json';
import { readJson } from './read-json';

it('canonicalJson sorts field names by code unit at every level, without white space', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x', B: true, é: 1.5 })).toBe(
    '{"B":true,"a":"x","b":[{"c":null,"d":1}],"é":1.5}',
  );
});

it('canonicalJson omits undefined fields and keeps null', () => {
  expect(canonicalJson({ a: undefined, b: null, c: [undefined] })).toBe('{"b":null,"c":[null]}');
});

it('canonicalJson writes 1, 1.0 and 1e0 as 1, and -0 as 0', () => {
  expect(canonicalJson(JSON.parse('{"a":[1,1.0,1e0,-0]}'))).toBe('{"a":[1,1,1,0]}');
});

it('canonicalJson sorts numeric names as text, not as numbers', () => {
  expect(canonicalJson({ 10: 1, 9: 2, a: 3 })).toBe('{"10":1,"9":2,"a":3}');
});

it.each([1, 2, 15, 16, 17, 40])('canonicalJson sorts %d names, for any order of the input', (count) => {
  const names = Array.from({ length: count }, (_, index) => `n${(index * 7) % count}`);
  const text = `{${names
    .toSorted()
    .map((name) => `"${name}":1`)
    .join(',')}}`;
  for (const order of [names, names.toReversed(), names.toSorted()])
    expect(canonicalJson(Object.fromEntries(order.map((name) => [name, 1])))).toBe(text);
});

it('canonicalJson writes the same text for equal values, which parses to the same value', () => {
  const shuffled = (value: unknown): unknown =>
    typeof value !== 'object' || value === null
      ? value
      : Array.isArray(value)
        ? value.map(shuffled)
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([name, item]) => [name, shuffled(item)]),
          );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      fc.pre(!text.includes('__proto__'));
      expect(canonicalJson(shuffled(value))).toBe(text);
      expect(readJson(text)).toEqual(readJson(JSON.stringify(value)));
    }),
  );
});
