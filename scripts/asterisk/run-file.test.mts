import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { readRunning, runFileIn, startOf, stopRunning, type RunFile } from './run-file.mts';

/** Asterisk runs only on Linux, and therefore these tests too. */
const skip = !existsSync('/proc/self/stat');

/** Starts a program in place of Asterisk, and records it as if a command that has since ended had started it at the given time. */
async function withProgram(
  startedAt: (pid: number) => string,
  work: (directory: string, hasEnded: () => boolean) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-run-'));
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', directory], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  try {
    const running: Partial<RunFile> = {
      command: { pid: 2 ** 22, startedAt: '1' },
      asterisk: { pid, startedAt: startedAt(pid) },
      mark: directory,
    };
    writeFileSync(runFileIn(directory), JSON.stringify(running));
    await work(directory, () => child.exitCode !== null || child.signalCode !== null);
  } finally {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  }
}

await test('what a killed command left behind is found and ended', { skip }, async () => {
  await withProgram(
    (pid) => startOf(pid) ?? '',
    async (directory, hasEnded) => {
      assert.ok(readRunning(directory));
      assert.equal(await stopRunning(directory), true);
      assert.ok(hasEnded());
      assert.equal(await stopRunning(directory), false);
    },
  );
});

await test('a process that got the same id later is not ended', { skip }, async () => {
  await withProgram(
    (pid) => String(Number(startOf(pid)) - 1),
    async (directory, hasEnded) => {
      assert.equal(readRunning(directory), undefined);
      assert.equal(await stopRunning(directory), false);
      assert.equal(hasEnded(), false);
    },
  );
});
