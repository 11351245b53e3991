/** Runs the tests of scripts/ with Node's own test runner, because these files are ES modules that Node executes directly. */
import { run as runTests } from 'node:test';
import { spec } from 'node:test/reporters';
import { globSync } from 'node:fs';
import path from 'node:path';
import { failure, nothing, type Counts } from './stages.mts';

const scripts = path.resolve(import.meta.dirname, '..');

export async function runScriptTests(): Promise<Counts> {
  const files = globSync('**/*.test.{mts,mjs}', { cwd: scripts }).map((file) => path.join(scripts, file));
  let counts = nothing;
  const failures: string[] = [];
  const stream = runTests({ files, concurrency: 2 });
  stream.on('test:summary', ({ file, counts: found }) => {
    if (file !== undefined) return;
    const skipped = found.skipped + found.todo;
    counts = { ...nothing, passed: found.passed, failed: found.tests - found.passed - skipped, skipped };
  });
  stream.on('test:fail', ({ name, file, details }) => {
    failures.push(failure(`${path.relative(scripts, file ?? '')} › ${name}`, details.error.message));
  });
  for await (const text of stream.compose(new spec())) process.stderr.write(String(text));
  return { ...counts, failures };
}
