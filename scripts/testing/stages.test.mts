import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCounts, afterRunningAgain, failure, nothing, parseTestArguments, runsAgain, summary } from './stages.mts';
import type { Counts } from './stages.mts';

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
];
for (const { args, stages, jest } of cases) {
  await test(`npm test ${args.join(' ')}`, () => {
    assert.deepEqual(parseTestArguments(args), { stages, jestArguments: jest });
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

const failing = (...names: string[]): Counts => {
  const failures = names.map((name) => failure(name, 'expected 1'));
  return { ...nothing, passed: 10, failed: names.length, failures, failedFiles: names.map((name) => `/${name}`) };
};

const filesToRunAgain = [
  { names: [], again: false },
  { names: ['a'], again: true },
  { names: ['a', 'b', 'c', 'd'], again: true },
  { names: ['a', 'b', 'c', 'd', 'e'], again: false },
];
for (const { names, again } of filesToRunAgain) {
  await test(`${names.length} files with failures run again: ${again}`, () => {
    assert.equal(runsAgain(failing(...names)), again);
  });
}

await test('what fails twice has failed, and what passes alone is reported as unstable', () => {
  const counts = afterRunningAgain(failing('a', 'b'), { ...failing('b'), passed: 1 });
  assert.deepEqual([counts.passed, counts.failed], [11, 1]);
  assert.deepEqual(counts.failures, [failure('b', 'expected 1')]);
  assert.deepEqual(counts.unstable, ['UNSTABLE a\n  expected 1']);
});

await test('a failure that only the second run has counts', () => {
  const counts = afterRunningAgain(failing('a'), failing('b'));
  assert.deepEqual([counts.failed, counts.failures.length, counts.unstable.length], [1, 1, 1]);
});
