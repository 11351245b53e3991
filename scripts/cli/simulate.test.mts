/** Tests parley simulate against a fake server; scripts/clients/cli-simulate.mts tests it against the platform. */
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../platform/options.mts';

const program = path.join(root, 'clients/cli/dist/main.js');
const said = { type: 'said', text: '80 <euros>' };
const turns = { type: 'turns_at_most', turns: 3 };
const suite = {
  simulation_suite_id: 'sim_1',
  organization_id: 'org_1',
  project_id: 'prj_1',
  agent_id: 'agt_1',
  name: 'Prices & "more"',
  scenarios: [
    { name: 'asks', callee: { type: 'script', turns: ['Hello?'] }, assertions: [said, turns] },
    { name: 'waits', callee: { type: 'script', turns: ['…'] }, assertions: [] },
  ],
};
const held = (assertion: object, failed: number, detail = '') => ({ assertion, failed, detail });

function runOf(status: string, failed: number, done: number) {
  const asks = [held(said, failed, 'the agent said\u0000\n"nothing"'), held(turns, 0)];
  return {
    simulation_run_id: 'run_1',
    simulation_suite_id: 'sim_1',
    ...{ status, target: { type: 'published' }, publication_version: 4, repetitions: 2, simulated_model: true },
    passed: status === 'completed' ? failed === 0 : null,
    ...{ conversations: 4, done, failed },
    results: [
      { scenario: 'asks', conversations: 2, passed: 2 - failed, failed, assertions: asks },
      { scenario: 'waits', conversations: 2, passed: 2, failed: 0, assertions: [] },
    ],
    differences: null,
    created_at: '2026-01-31T12:00:00.000Z',
    finished_at: status === 'completed' ? '2026-01-31T12:00:02.500Z' : null,
  };
}

interface Asked {
  readonly request: string;
  readonly body: unknown;
}
type Answers = (asked: Asked, nth: number) => [status: number, body: unknown];

interface World {
  readonly folder: string;
  readonly asked: Asked[];
  start(...args: string[]): ChildProcess;
  run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
}

async function withPlatform(answers: Answers, use: (world: World) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-simulate-'));
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const one = {
        request: `${request.method} ${request.url}`,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      };
      asked.push(one);
      const [status, body] = answers(one, asked.filter((other) => other.request === one.request).length);
      response.writeHead(status, { 'content-type': 'application/json', etag: '"1"' }).end(JSON.stringify(body));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    PARLEY_API_KEY: 'tai_test',
    PARLEY_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [program, 'simulate', ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const run: World['run'] = async (...args) => {
    const child = start(...args);
    const [stdout, stderr] = [child.stdout, child.stderr].map(async (stream) => {
      let text = '';
      for await (const chunk of stream ?? []) text += String(chunk);
      return text;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout: (await stdout) ?? '', stderr: (await stderr) ?? '' };
  };
  try {
    await use({ folder, asked, start, run });
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A fake platform on which the suite exists and a run is complete at the third poll, with this many failed conversations. */
const platform =
  (failed: number): Answers =>
  ({ request }, nth) => {
    if (request === 'GET /v1/simulation-suites/sim_1') return [200, suite];
    if (request === 'POST /v1/simulation-suites/sim_1/runs') return [201, runOf('queued', 0, 0)];
    if (request === 'GET /v1/simulation-runs/run_1')
      return [200, nth < 3 ? runOf('running', 0, nth) : runOf('completed', failed, 4)];
    return [404, { error: 'NotFoundError', message: request }];
  };

const python = (script: string, file: string) => spawnSync('python3', ['-c', script, file], { encoding: 'utf8' });

await test('a run in which all assertions hold exits with 0, and the options are part of its request', () =>
  withPlatform(platform(0), async ({ asked, run }) => {
    const { code, stdout, stderr } = await run('sim_1', '--repetitions', '2', '--against', '3');
    assert.equal(code, 0, stderr);
    assert.deepEqual(asked.find(({ request }) => request.startsWith('POST'))?.body, {
      repetitions: 2,
      target: { type: 'version', version: 3 },
    });
    assert.match(stderr, /1 of 4\n.*2 of 4\n.*4 of 4\n.*instead of a language model/);
    assert.equal((JSON.parse(stdout) as { run: { passed: boolean } }[])[0]?.run.passed, true);
  }));

await test('an assertion that did not hold ends it with 6 and is a failure of its test case', () =>
  withPlatform(platform(1), async ({ folder, run }) => {
    const { code, stderr } = await run('sim_1', '--junit', 'reports/junit.xml');
    assert.equal(code, 6, stderr);
    const file = path.join(folder, 'reports/junit.xml');
    const xml = readFileSync(file, 'utf8');
    assert.match(xml, /<testsuite name="Prices &amp; &quot;more&quot;" tests="2" failures="1" errors="0" time="2.5"/);
    assert.match(
      xml,
      /name="asks"><failure message="said text=&quot;80 &lt;euros&gt;&quot;: not in 1 of 2: the agent said\ufffd&#10;/,
    );
    assert.match(xml, /name="waits"\/>/);
    const read = python(
      'import sys, xml.etree.ElementTree as e; print(len(list(e.parse(sys.argv[1]).iter("testcase"))))',
      file,
    );
    if (read.error === undefined) assert.equal(read.stdout.trim(), '2', read.stderr);
  }));

await test('a suite that cannot run is said with scenario and reason, ends it with 2, and the others run', () =>
  withPlatform(
    (one, nth) => {
      if (one.request === 'GET /v1/simulation-suites/sim_2') return [200, { ...suite, simulation_suite_id: 'sim_2' }];
      if (one.request !== 'POST /v1/simulation-suites/sim_2/runs') return platform(1)(one, nth);
      const reason = 'noise needs a line with sound';
      return [422, { error: 'SimulationError', message: `asks: ${reason}`, scenario: 'asks', reason }];
    },
    async ({ folder, run }) => {
      const { code, stdout, stderr } = await run('sim_2', 'sim_1', '--junit', 'junit.xml');
      assert.equal(code, 2, stderr);
      assert.match(stderr, /cannot run: scenario "asks": noise needs a line with sound/);
      assert.deepEqual(
        (JSON.parse(stdout) as { run: { passed: boolean } | null }[]).map((one) => one.run?.passed),
        [undefined, false],
      );
      assert.match(readFileSync(path.join(folder, 'junit.xml'), 'utf8'), /tests="3" failures="1" errors="1"/);
    },
  ));

const suiteFile = (agent: string): string =>
  `agent: ${agent}\nname: 'Prices & "more"'\nscenarios: ${JSON.stringify(suite.scenarios)}\n`;
const list = (...data: object[]) => ({ data, next_cursor: null });

await test('a file is created as a suite if there is none, written if it differs, and left if it is the same', async () => {
  const other = { ...suite, agent_id: 'agt_2', simulation_suite_id: 'sim_9' };
  for (const [there, writes] of [
    [list(other), ['POST /v1/simulation-suites']],
    [list(other, { ...suite, scenarios: [] }), ['PATCH /v1/simulation-suites/sim_1']],
    [list(suite), []],
  ] as const)
    await withPlatform(
      (one, nth) => {
        if (one.request === 'GET /v1/simulation-suites?limit=100') return [200, there];
        if (one.request === 'GET /v1/agents/agt_1') return [200, suite];
        if (/^(POST|PATCH) \/v1\/simulation-suites(\/sim_1)?$/.test(one.request)) return [200, suite];
        return platform(0)(one, nth);
      },
      async ({ folder, asked, run }) => {
        mkdirSync(path.join(folder, 'suites'));
        writeFileSync(path.join(folder, 'suites/prices.yaml'), suiteFile('reception'));
        const unknown = await run();
        assert.equal(unknown.code, 1, unknown.stderr);
        assert.match(unknown.stderr, /agents\/reception.md was not applied/);
        const lock = { reception: { agent_id: 'agt_1', creation: '', applied: {}, seen: {} } };
        writeFileSync(path.join(folder, 'parley.lock.default.json'), JSON.stringify(lock));
        const { code, stderr } = await run();
        assert.equal(code, 0, stderr);
        const written = asked.map(({ request }) => request).filter((one) => !/^GET|runs$/.test(one));
        assert.deepEqual(written, writes);
      },
    );
});

await test('exits with 4 if someone else changed the suite meanwhile, and cancels its run', () =>
  withPlatform(
    (one, nth) =>
      one.request === 'GET /v1/simulation-suites/sim_1'
        ? [200, { ...suite, scenarios: suite.scenarios.slice(1) }]
        : platform(0)(one, nth),
    async ({ asked, run }) => {
      const { code, stderr } = await run('sim_1');
      assert.equal(code, 4, stderr);
      assert.ok(asked.some(({ request }) => request === 'POST /v1/simulation-runs/run_1/cancel'));
    },
  ));

await test('a run that is not over in time, or is interrupted, is canceled and no success', () =>
  withPlatform(
    (one, nth) =>
      one.request === 'GET /v1/simulation-runs/run_1' ? [200, runOf('running', 0, 1)] : platform(0)(one, nth),
    async ({ asked, folder, run, start }) => {
      const canceled = (): number => asked.filter(({ request }) => request.endsWith('/run_1/cancel')).length;
      const late = await run('sim_1', '--timeout', '1', '--junit', 'junit.xml');
      assert.deepEqual([late.code, canceled()], [2, 1], late.stderr);
      assert.ok(existsSync(path.join(folder, 'junit.xml')));
      const child = start('sim_1');
      for await (const text of child.stderr ?? []) if (String(text).includes('1 of 4')) child.kill('SIGINT');
      const code = child.exitCode ?? ((await once(child, 'close')) as [number])[0];
      assert.deepEqual([code, canceled()], [2, 2]);
    },
  ));

await test('exits with 1 for invalid options, and sends no request to the platform', () =>
  withPlatform(platform(0), async ({ asked, folder, run }) => {
    writeFileSync(path.join(folder, 'broken.yaml'), 'scenarios: none\n');
    for (const args of [
      ['sim_1', '--repetitions', '0'],
      ['sim_1', '--against', 'tomorrow'],
      ['sim_1', 'sim_2', '--baseline', 'run_0'],
      ['imagined.yaml'],
      ['broken.yaml'],
      [],
    ])
      assert.equal((await run(...args)).code, 1, args.join(' '));
    assert.deepEqual(asked, []);
  }));
