import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually } from '@parley/testing';

describe('batched log output', () => {
  it('a line that is logged during a write is written without another line after it', async () => {
    const fixture = path.join(__dirname, 'fixtures', 'logger.mts');
    const child = spawn(process.execPath, ['--no-warnings', fixture], {
      env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    });
    const ended = once(child, 'close');
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    try {
      await eventually(() => stderr.includes('waited') || undefined);
      expect(stdout).toBe('');
      child.stdin.write('x');
      await eventually(() => stdout.includes('"first"') || undefined);
      await eventually(() => stdout.includes('"second"') || undefined);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  });
});
