import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { blocksOf, executablePages } from './guide/blocks.mts';
import { root } from './platform/options.mts';

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

await test('the tool server of examples/ returns the result of its function, only to signed requests', async (t) => {
  const file = path.join(root, 'examples/tool-server/server.mjs');
  const server = spawn(process.execPath, [file], {
    env: { PARLEY_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => server.kill());
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  const url = `http://127.0.0.1:${line.split(' ').at(-1)}/`;
  const post = async (call: object, change: (headers: Record<string, string>) => object = (headers) => headers) => {
    const body = JSON.stringify({
      type: 'tool_call',
      call_id: 'call_1',
      agent_id: 'agt_1',
      tool_call_id: 'tc_1',
      ...call,
    });
    const now = new Date();
    const signed = {
      'webhook-id': 'tc_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('tc_1', now, body),
    };
    const response = await fetch(url, { method: 'POST', headers: { ...change(signed) }, body });
    return { status: response.status, body: response.status === 200 ? ((await response.json()) as object) : undefined };
  };
  const known = { name: 'look_up_order', arguments: { order: 'A1' } };
  assert.deepEqual(await post(known), { status: 200, body: { status: 'on its way', arrives: 'Friday' } });
  assert.deepEqual(await post({ ...known, arguments: { order: 'Z9' } }), {
    status: 200,
    body: { status: 'unknown', hint: 'ask for the number again' },
  });
  assert.equal((await post({ ...known, name: 'toString' })).status, 404);
  assert.equal((await post(known, ({ 'webhook-signature': _, ...rest }) => rest)).status, 401);
  assert.equal((await post(known, (headers) => ({ ...headers, 'webhook-id': 'tc_2' }))).status, 401);
  assert.equal((await post(known, (headers) => ({ ...headers, 'webhook-timestamp': '1700000000' }))).status, 401);
});

await test('each example has a README, is in the list of examples, and is run by a test or by the code of a page', () => {
  const folder = path.join(root, 'examples');
  const list = readFileSync(path.join(folder, 'README.md'), 'utf8');
  const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
  const pages = executablePages.flatMap((page) =>
    blocksOf(textOf(`docs/${page}`)).flatMap(({ runs, code }) => (runs ? [code] : [])),
  );
  const tests = [...globSync(['scripts/**/*.test.mts', 'e2e/**/*.ts'], { cwd: root }).map(textOf), ...pages].join('\n');
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
  assert.ok(names.length >= 5);
  for (const name of names) {
    assert.match(readFileSync(path.join(folder, name, 'README.md'), 'utf8'), /^# /);
    assert.ok(list.includes(`](${name}/README.md)`), `${name} is not in examples/README.md`);
    assert.ok(tests.includes(`'${name}'`) || tests.includes(`examples/${name}/`), `${name} is in no test`);
  }
});
