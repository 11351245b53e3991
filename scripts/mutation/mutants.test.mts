import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosen, mutantsOf, mutated, rateOf } from './mutants.mts';

const made = (source: string, file = 'a.ts'): [string, string][] =>
  mutantsOf(file, source).map((mutant) => [mutant.operator, mutated(source, mutant)]);

const cases: [string, [string, string][]][] = [
  ['a < b;', [['<', 'a <= b;']]],
  [
    'x = a >= b;',
    [
      ['statement', ';'],
      ['>=', 'x = a > b;'],
    ],
  ],
  [
    'x = a === b;',
    [
      ['statement', ';'],
      ['===', 'x = a !== b;'],
    ],
  ],
  [
    'x = a && b;',
    [
      ['statement', ';'],
      ['&&', 'x = a || b;'],
    ],
  ],
  [
    'x = a ?? b;',
    [
      ['statement', ';'],
      ['default', 'x = a;'],
    ],
  ],
  [
    'x = a - b;',
    [
      ['statement', ';'],
      ['-', 'x = a + b;'],
    ],
  ],
  ["x = a + 'text';", [['statement', ';']]],
  ['if (a) {}', [['condition', 'if (!(a)) {}']]],
  [
    'await f();',
    [
      ['statement', ';'],
      ['await', 'void f();'],
    ],
  ],
  ['log.warn(3);', []],
  ['const a = 3;', [['number', 'const a = (3 + 1);']]],
  ['const a = true;', [['constant', 'const a = false;']]],
  ['const f = () => { return a; };', [['return', 'const f = () => { return (undefined as never); };']]],
  ['const f = () => { return false; };', [['constant', 'const f = () => { return true; };']]],
  ['const a = { b, name: c };', [['field', 'const a = {  name: c };']]],
  ['const a = b.filter(c);', [['filter', 'const a = b;']]],
  ['throw new RangeError(`${3}`);', []],
  ["import { a } from 'b'; type A = 3; interface B { a: 3 }", []],
];
for (const [source, expected] of cases)
  await test(source, () => {
    assert.deepEqual(made(source), expected);
  });

await test('leave out one condition of a statement each', () => {
  const source = 'const a = `select from b where c = 1 and d between 1 and 2\n and e is null`;';
  assert.deepEqual(made(source), []);
  assert.deepEqual(
    made(source, 'a.sql.ts').map(([, text]) => text.replace(/\s+/g, ' ')),
    [
      'const a = `select from b where c = 1 and 2 and e is null`;',
      'const a = `select from b where c = 1 and d between 1 and 2 `;',
    ],
  );
});

await test('are numbered by line', () => {
  assert.deepEqual(
    mutantsOf('a.ts', '\nconst a = 1;').map(({ file, line }) => [file, line]),
    [['a.ts', 2]],
  );
});

await test('the same seed chooses the same mutants, in their order', () => {
  const all = mutantsOf('a.ts', Array.from({ length: 50 }, (_, n) => `const a${n} = ${n};`).join('\n'));
  const some = chosen(all, 10, 1);
  assert.equal(some.length, 10);
  assert.deepEqual(some, chosen(all, 10, 1));
  assert.notDeepEqual(some, chosen(all, 10, 2));
  assert.deepEqual(
    some,
    [...some].sort((a, b) => a.line - b.line),
  );
  assert.deepEqual(chosen(all, 100, 1), all);
});

await test('the rate counts what was killed of what could be built', () => {
  assert.deepEqual([rateOf(19, 1), rateOf(0, 4), rateOf(0, 0)], [95, 0, 100]);
});
