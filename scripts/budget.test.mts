import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { over, secondsOf } from './budget.mts';
import { root } from './platform/options.mts';

await test('what is larger than its budget is named; what is as large, or has no budget, is not', () => {
  const budget = { lines: 10, files: 2, words: 5 };
  assert.deepEqual(over({ lines: 10, files: 1, words: 5, other: 99 }, budget), []);
  assert.deepEqual(over({ lines: 11, files: 2, words: 6 }, budget), [
    'lines: 11, and budget.json allows 10',
    'words: 6, and budget.json allows 5',
  ]);
});

await test('the seconds of test files are summed by package and kind', () => {
  const file = (name: string, seconds: number) => ({
    name: path.join(root, name),
    startTime: 1_000,
    endTime: 1_000 + seconds * 1_000,
  });
  const testResults = [
    file('services/auth/test/a.int.test.ts', 2),
    file('services/auth/src/keys/b.test.ts', 3.4),
    file('libs/vault/src/c.test.ts', 1),
    file('e2e/d.e2e.test.ts', 9),
  ];
  assert.deepEqual(secondsOf('unit', { testResults }), { 'services/auth unit': 5, 'libs/vault unit': 1 });
});
