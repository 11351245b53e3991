import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTestArguments, summary } from './stages.mts';

const cases = [
  { args: [], stages: ['lint', 'unit', 'integration', 'e2e'], jest: [] },
  { args: ['unit'], stages: ['unit'], jest: [] },
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

await test('the last line names skipped tests only where there are some', () => {
  assert.equal(summary({ passed: 3, failed: 0, skipped: 0 }), '3 passed, 0 failed');
  assert.equal(summary({ passed: 3, failed: 1, skipped: 2 }), '3 passed, 1 failed, 2 skipped');
});
