import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { runChecks } from './run-checks.mts';

await test('each check runs once, a failure ends neither the run nor, if nothing can be shown of it, the ones after it', async () => {
  const log = mock.method(console, 'log', () => undefined);
  const runs: string[] = [];
  const check = (name: string, fails: boolean) => ({
    name,
    run: () => {
      runs.push(name);
      return fails ? Promise.reject(new Error(name)) : Promise.resolve();
    },
  });
  const afterFailure = mock.fn(() => Promise.reject(new Error('no screenshot')));
  const failed = await runChecks([check('good', false), check('bad', true), check('last', false)], { afterFailure });
  assert.deepEqual([failed, runs, afterFailure.mock.callCount()], [1, ['good', 'bad', 'last'], 1]);
  const words = log.mock.calls.map(({ arguments: [text] }) => String(text).split(/\s/, 1)[0]);
  assert.deepEqual(words.filter(Boolean), ['ok', 'FAILED', 'ok']);
  log.mock.restore();
});
