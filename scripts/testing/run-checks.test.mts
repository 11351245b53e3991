import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { runChecks } from './run-checks.mts';

/** A check that fails in its first `failures` runs, and the number of its runs. */
function failing(name: string, failures: number) {
  const check = {
    name,
    runs: 0,
    run: () => {
      check.runs += 1;
      return check.runs > failures ? Promise.resolve() : Promise.reject(new Error(`run ${check.runs}`));
    },
  };
  return check;
}

await test('a check that fails once runs again and does not count as failed, one that fails twice does', async () => {
  const log = mock.method(console, 'log', () => undefined);
  const checks = [failing('good', 0), failing('unstable', 1), failing('bad', 2)];
  let failures = 0;
  const afterFailure = (): Promise<void> => {
    failures += 1;
    return Promise.reject(new Error('no screenshot'));
  };
  assert.equal(await runChecks(checks, { afterFailure }), 1);
  assert.deepEqual(
    checks.map(({ runs }) => runs),
    [1, 2, 2],
  );
  assert.equal(failures, 2);
  const words = log.mock.calls.map(({ arguments: [text] }) => String(text).split(/\s/, 1)[0]);
  assert.deepEqual(
    words.filter((word) => ['ok', 'UNSTABLE', 'FAILED'].includes(word ?? '')),
    ['ok', 'UNSTABLE', 'FAILED'],
  );
  log.mock.restore();
});

for (const [count, failed] of [
  [3, 0],
  [4, 1],
] as const) {
  await test(`of ${count} checks that fail once, ${failed} count as failed`, async () => {
    const log = mock.method(console, 'log', () => undefined);
    const checks = Array.from({ length: count }, (_, index) => failing(`check ${index}`, 1));
    assert.equal(await runChecks(checks), failed);
    log.mock.restore();
  });
}
