import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCounts, failure, nothing, parseTestArguments, summary } from './stages.mts';

const cases = [
  { args: [], stages: ['lint', 'unit', 'integration', 'e2e'], jest: [] },
  { args: ['unit'], stages: ['unit'], jest: [] },
  { args: ['chaos', 'e2e/chaos/frozen'], stages: ['chaos'], jest: ['e2e/chaos/frozen'] },
  { args: ['lint', 'unit'], stages: ['lint', 'unit'], jest: [] },
  {
    args: ['integration', 'services/auth', '-t', 'unit'],
    stages: ['integration'],
    jest: ['services/auth', '-t', 'unit'],
  },
  { args: ['services/auth'], stages: ['lint', 'unit', 'integration', 'e2e'], jest: ['services/auth'] },
  { args: ['--full'], full: true, stages: ['lint', 'unit', 'integration', 'e2e', 'chaos'], jest: [] },
  { args: ['--full', 'e2e', 'attacks'], full: true, stages: ['e2e'], jest: ['attacks'] },
];
for (const { args, full = false, stages, jest } of cases) {
  await test(`npm test ${args.join(' ')}`, () => {
    assert.deepEqual(parseTestArguments(args), { full, stages, jestArguments: jest });
  });
}

await test('the last line names skipped tests only if there are some', () => {
  assert.equal(summary({ ...nothing, passed: 3 }), '3 passed, 0 failed');
  assert.equal(summary({ ...nothing, passed: 3, failed: 1, skipped: 2 }), '3 passed, 1 failed, 2 skipped');
});

await test('a failure is reported by its name and the beginning of its message, without colors', () => {
  const message = `\u001b[31mexpected 1\u001b[39m\n\nreceived 2\n    at /x/node_modules/y.js:1\n${'    at somewhere\n'.repeat(40)}`;
  const lines = failure('a.test.ts › counts', message).split('\n');
  assert.deepEqual(lines.slice(0, 3), ['FAILED a.test.ts › counts', '  expected 1', '  received 2']);
  assert.equal(lines.length, 13);
});

await test('failures of all stages are kept in their order', () => {
  const first = { ...nothing, failed: 1, failures: [failure('a')] };
  const second = { ...nothing, passed: 2, failed: 1, failures: [failure('b')] };
  const expected = { ...nothing, passed: 2, failed: 2, failures: ['FAILED a', 'FAILED b'] };
  assert.deepEqual(addCounts(first, second), expected);
});
