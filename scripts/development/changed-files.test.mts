import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedFiles } from './changed-files.mts';

const cases: readonly [name: string, checks: readonly string[]][] = [
  ['README.md', ['all']],
  ['services/auth/src/keys/key.ts', ['all', 'code', 'unit']],
  ['services/auth/test/keys.int.test.ts', ['all', 'code']],
  ['e2e/calls.e2e.test.ts', ['all', 'code']],
  ['bench/run.mts', ['all', 'scripts']],
  ['scripts/lint.mts', ['all', 'scripts']],
  ['scripts/servers/install.test.mts', ['all', 'scripts', 'scriptTests']],
  ['services/engine/test/callee/main.mts', ['all', 'scripts']],
];

for (const [name, checks] of cases) {
  await test(`${name} is looked at by ${checks.join(', ')}`, () => {
    const found = Object.entries(changedFiles([name]))
      .filter(([, files]) => (files as readonly string[]).length > 0)
      .map(([check]) => check);
    assert.deepEqual(found, checks);
  });
}

await test('a file that is named twice is checked once', () => {
  assert.deepEqual(changedFiles(['a.md', 'a.md']).all, ['a.md']);
});
