/** Tests parley.yaml: which profile an environment uses, and that a mistyped environment is refused before any request is sent. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../platform/options.mts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-environments-'));
const keys: (string | undefined)[] = [];
const server = createServer((request, response) => {
  keys.push(request.headers.authorization);
  response.writeHead(401, { 'content-type': 'application/json' });
  response.end('{"error":"UnauthorizedError","message":"no"}');
});
await once(server.listen(0, '127.0.0.1'), 'listening');
// The server does not keep the process alive after the tests.
server.unref();
process.once('exit', () => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
};
const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const profiles = { default: { base_url, api_key: 'tai_default' }, live: { base_url, api_key: 'tai_live' } };
write('.config/parley/profiles.yaml', JSON.stringify({ current: 'default', profiles }));
write('agents/a.md', '---\nname: A\n---\n');

async function parley(...args: string[]): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [path.join(root, 'clients/cli/dist/main.js'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}

await test('an environment uses its profile; an option goes before it, and without the file there is any environment', async () => {
  assert.equal((await parley('plan', '--env', 'staging')).code, 5);
  write('parley.yaml', 'environments:\n  production: { profile: live, project: prj_1 }\n');
  for (const args of [
    ['plan'],
    ['plan', '--env', 'production'],
    ['--profile', 'default', 'plan', '--env', 'production'],
  ])
    assert.equal((await parley(...args)).code, 5);
  assert.deepEqual(
    keys.map((key) => key?.replace('Bearer tai_', '')),
    ['default', 'default', 'live', 'default'],
  );
});

await test('an unknown environment and an invalid file are refused before any request is sent', async () => {
  const before = keys.length;
  for (const command of ['plan', 'apply', 'status', 'pull', 'simulate']) {
    const { code, stderr } = await parley(command, '--env', 'prodution');
    assert.deepEqual([code, /no environment prodution: production/.test(stderr)], [1, true], `${command}: ${stderr}`);
  }
  for (const text of [
    'environments: []',
    'environments: { default: { key: tai_1 } }',
    '[',
    'environments: { default: { profile: 1 } }',
  ]) {
    write('parley.yaml', text);
    const { code, stderr } = await parley('plan');
    assert.deepEqual([code, stderr.includes('parley.yaml')], [1, true], stderr);
  }
  assert.equal(keys.length, before);
});
