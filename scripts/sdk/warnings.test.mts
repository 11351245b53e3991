/** Tests that deprecated fields in responses cause a warning in the SDK and a line on standard error in the command line. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Parley, ParleyError, type ParleyWarning } from '../../clients/typescript/dist/index.js';
import { root } from '../platform/options.mts';

interface Answer {
  readonly status?: number;
  readonly body: object;
  readonly deprecation?: string;
}

/** Runs a function with a server that gives these responses in order, and repeats the last one. */
async function withAnswers(answers: readonly Answer[], use: (baseUrl: string) => Promise<void>): Promise<void> {
  let asked = 0;
  const server = createServer((_, response) => {
    const { status = 200, body, deprecation } = answers[Math.min(asked, answers.length - 1)] ?? { body: {} };
    asked += 1;
    const headers = deprecation === undefined ? {} : { deprecation };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const old = { body: { turn_taking: { barge_in_speech_rms: 500 } }, deprecation: '@1767225600' };
const route = 'GET /v1/agents/{agent_id}/voice-stack';
const read = (parley: Parley, agent_id: string): Promise<unknown> =>
  parley.agents.getVoiceStack({ path: { agent_id } });

await test('an answer with a deprecated field is a warning that names route, field and time, once for all agents', () =>
  withAnswers([old], async (baseUrl) => {
    const warnings: ParleyWarning[] = [];
    const parley = new Parley({ apiKey: 'tai_test', baseUrl, onWarning: (one) => warnings.push(one) });
    assert.deepEqual(await read(parley, 'agt_1'), old.body);
    await read(parley, 'agt_2');
    assert.deepEqual(warnings, [
      {
        code: 'deprecated',
        route,
        fields: ['barge_in_speech_rms'],
        since: '2026-01-01T00:00:00.000Z',
        message: `${route}: the answer carries barge_in_speech_rms, deprecated since 2026-01-01`,
      },
    ]);
    await parley.agents.saveVoiceStack({ path: { agent_id: 'agt_1' }, body: {} });
    assert.deepEqual(
      warnings.map((one) => one.route),
      [route, 'PATCH /v1/agents/{agent_id}/voice-stack'],
    );
    // Each client warns independently of the others.
    await read(new Parley({ apiKey: 'tai_test', baseUrl, onWarning: (one) => warnings.push(one) }), 'agt_1');
    assert.equal(warnings.length, 3);
  }));

await test('what this version does not know is a warning without a field, and an error stays the error that it is', () =>
  withAnswers(
    [
      { body: { of_later: 1 }, deprecation: 'true' },
      { body: { of_later: 1 }, deprecation: 'true' },
      { status: 404, body: { error: 'NotFoundError', message: 'no' }, deprecation: '@1767225600' },
    ],
    async (baseUrl) => {
      const warnings: ParleyWarning[] = [];
      const parley = new Parley({ apiKey: 'tai_test', baseUrl, onWarning: (one) => warnings.push(one) });
      await read(parley, 'agt_1');
      await read(parley, 'agt_1');
      assert.deepEqual(
        warnings.map(({ fields, since, message }) => [fields, since, message]),
        [[[], undefined, `${route}: the answer carries something, deprecated`]],
      );
      await assert.rejects(parley.agents.getAgent({ path: { agent_id: 'agt_1' } }), (error) => {
        assert.ok(error instanceof ParleyError && error.is('NotFoundError'));
        return true;
      });
      assert.equal(warnings.length, 2);
    },
  ));

await test('without the header there is no warning, and without a listener it goes to the console', () =>
  withAnswers([{ body: old.body }, old], async (baseUrl) => {
    const { warn } = console;
    const lines: unknown[] = [];
    console.warn = (line: unknown) => lines.push(line);
    try {
      const parley = new Parley({ apiKey: 'tai_test', baseUrl });
      await read(parley, 'agt_1');
      assert.deepEqual(lines, []);
      await read(parley, 'agt_1');
      assert.deepEqual(lines, [
        `parley: ${route}: the answer carries barge_in_speech_rms, deprecated since 2026-01-01`,
      ]);
    } finally {
      console.warn = warn;
    }
  }));

await test('the command line prints it on standard error, and its output stays JSON', () =>
  withAnswers([old], async (baseUrl) => {
    const program = path.join(root, 'clients/cli/dist/main.js');
    const child = spawn(process.execPath, [program, 'api', 'GET', '/v1/agents/agt_1/voice-stack'], {
      env: { PATH: process.env.PATH ?? '', HOME: tmpdir(), PARLEY_API_KEY: 'tai_test', PARLEY_BASE_URL: baseUrl },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const textOf = async (stream: AsyncIterable<unknown>): Promise<string> => {
      let text = '';
      for await (const chunk of stream) text += String(chunk);
      return text;
    };
    const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    assert.deepEqual(JSON.parse(out), old.body);
    assert.equal(err, `warning: ${route}: the answer carries barge_in_speech_rms, deprecated since 2026-01-01\n`);
  }));
