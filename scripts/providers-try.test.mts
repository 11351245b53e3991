import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const script = path.join(import.meta.dirname, 'providers-try.mts');

const run = (args: readonly string[], environment: Readonly<Record<string, string>>) =>
  spawnSync(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
    timeout: 60_000,
  });

await test('refuses to measure without an account', () => {
  const { status, stdout, stderr } = run([], {});
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /PROVIDER_<NAME>_API_KEY/);
});

await test('refuses a count of rounds that is out of bounds', () => {
  for (const rounds of ['0', '101', 'x']) assert.equal(run(['--rounds', rounds], {}).status, 1);
});

await test('prints a row with the error for a server that is not there, and never the key', () => {
  const { status, stdout, stderr } = run(['--rounds', '1'], {
    PROVIDER_OPENAI_COMPATIBLE_URL: 'http://127.0.0.1:9/v1',
    PROVIDER_OPENAI_COMPATIBLE_API_KEY: 'key-of-the-test',
    PROVIDER_OPENAI_COMPATIBLE_VOICE: 'voice',
  });
  assert.equal(status, 0);
  assert.equal(stdout.match(/unavailable/g)?.length, 3);
  assert.doesNotMatch(stdout + stderr, /key-of-the-test/);
});
