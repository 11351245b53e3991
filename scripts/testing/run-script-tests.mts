/** The tests of scripts/ run on Node's own test runner: these files are ES modules that Node executes as they are. */
import { run as runTests } from 'node:test';
import { spec } from 'node:test/reporters';
import { globSync } from 'node:fs';
import path from 'node:path';
import type { Counts } from './stages.mts';

const scripts = path.resolve(import.meta.dirname, '..');

export async function runScriptTests(): Promise<Counts> {
  const files = globSync('**/*.test.mts', { cwd: scripts }).map((file) => path.join(scripts, file));
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const stream = runTests({ files, concurrency: 1 });
  stream.on('test:summary', ({ file, counts: found }) => {
    if (file !== undefined) return;
    counts.passed = found.passed;
    counts.failed = found.tests - found.passed - found.skipped - found.todo;
    counts.skipped = found.skipped + found.todo;
  });
  for await (const text of stream.compose(new spec())) process.stderr.write(String(text));
  return counts;
}
