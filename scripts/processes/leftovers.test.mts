import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { endLeftovers, isAlive } from './leftovers.mts';

await test('a leftover is ended; a stranger under its process id is not', async () => {
  const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000); /* parley-mark */']);
  const pid = child.pid ?? 0;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // Waits for output: spawn may return before the child's program has begun, and until then it has no command line of its own.
  await new Promise((resolve) => child.stdout.once('data', resolve));
  assert.equal(await endLeftovers([{ pid, mark: 'another-mark', stopSignal: 'SIGTERM' }]), 0);
  assert.equal(isAlive(pid), true);
  const [found] = await Promise.all([endLeftovers([{ pid, mark: 'parley-mark', stopSignal: 'SIGTERM' }]), ended]);
  assert.equal(found, 1);
  assert.equal(isAlive(pid), false);
});
