import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { freePort, isPortFree } from './free-ports.mts';

const run = promisify(execFile);

await test('concurrent processes get different ports, all below the kernel’s own', async () => {
  const program = `
    import { freePort } from ${JSON.stringify(new URL('free-ports.mts', import.meta.url).href)};
    const ports = await Promise.all(Array.from({ length: 150 }, () => freePort()));
    console.log(JSON.stringify(ports));
    await new Promise((resolve) => process.stdin.once('data', resolve));
    process.exit();`;
  const asked = Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', program]));
  const printed = await Promise.all(
    asked.map(
      ({ child }) => new Promise<string>((resolve) => child.stdout?.once('data', (data) => resolve(String(data)))),
    ),
  );
  for (const { child } of asked) child.stdin?.end('done');
  await Promise.all(asked);
  const ports = printed.flatMap((line) => JSON.parse(line) as number[]);
  assert.equal(new Set(ports).size, 600);
  assert.ok(ports.every((port) => port > 18_000 && port < 32_000));
});

await test('a port on which a process listens is not free', async () => {
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  assert.equal(await isPortFree(port, '127.0.0.1'), false);
  await new Promise((resolve) => server.close(resolve));
  assert.equal(await isPortFree(port, '127.0.0.1'), true);
});
