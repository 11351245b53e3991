/** Tests the setup commands of the command line: init, pull, doctor, completion, mcp config. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Parley } from '../../clients/typescript/dist/index.js';
import { root } from '../platform/options.mts';
import { CommandLine } from './cli.mts';
import type { Check, ClientWorld } from './world.mts';

interface Applied {
  readonly agent_id: string;
}

async function pulling(world: ClientWorld): Promise<void> {
  const cli = new CommandLine(world);
  const parley = new Parley({ apiKey: cli.key, baseUrl: cli.baseUrl });
  await cli.login();
  await cli.fails(1, 'pull');
  assert.equal((await cli.run(['init'])).code, 0);
  await cli.fails(1, 'init');
  const file = path.join(cli.folder, 'agents/reception.md');
  const [applied] = await cli.json<Applied[]>('apply', '--project', world.projectId);
  assert.ok(applied);
  const where = { path: { agent_id: applied.agent_id } };
  const text = (): string => readFileSync(file, 'utf8');

  // Without changes nothing is written.
  const before = text();
  await cli.json('pull');
  assert.equal(text(), before);

  // A change on the platform is pulled, and comments in the file stay. A change in the file stays pending.
  writeFileSync(file, text().replace('name: Reception', '# who answers\nname: Front desk'));
  await parley.agents.saveVoiceStack({ ...where, body: { first_message: 'Changed elsewhere' } });
  await cli.fails(4, 'apply');
  const [pulled] = await cli.json<{ fields: string[] }[]>('pull');
  assert.deepEqual(pulled?.fields, ['first_message']);
  assert.match(text(), /# who answers\nname: Front desk\n/);
  assert.match(text(), /first_message: Changed elsewhere/);
  const [planned] = await cli.json<{ changes: { field: string }[]; drift: unknown[] }[]>('plan');
  assert.deepEqual([planned?.changes.map(({ field }) => field), planned?.drift], [['name'], []]);
  await cli.json('apply');
  assert.equal((await parley.agents.getAgent(where)).name, 'Front desk');

  // A change on both sides is refused without writing. With the flag, the platform's version is written.
  await parley.agents.saveVoiceStack({ ...where, body: { first_message: 'Theirs' } });
  writeFileSync(file, text().replace('Changed elsewhere', 'Ours'));
  const ours = text();
  await cli.fails(4, 'pull');
  assert.equal(text(), ours);
  await cli.json('pull', '--force');
  assert.match(text(), /first_message: Theirs/);

  // Pulls an agent into a folder that has no file for it; afterwards there is nothing to apply.
  const other = new CommandLine(world);
  await other.login();
  await other.json('pull', '--agent', applied.agent_id);
  assert.match(readFileSync(path.join(other.folder, 'agents/front-desk.md'), 'utf8'), /receptionist/);
  assert.equal((await other.run(['plan', '--detailed-exitcode'])).code, 0);
}

async function doctor(world: ClientWorld): Promise<void> {
  const cli = new CommandLine(world);
  assert.equal((await cli.run(['doctor'], { PARLEY_BASE_URL: cli.baseUrl })).code, 5);
  assert.equal((await cli.run(['doctor'], { PARLEY_BASE_URL: 'http://127.0.0.1:1', PARLEY_API_KEY: cli.key })).code, 2);
  await cli.login();
  const findings = await cli.json<{ what: string; ok: boolean }[]>('doctor');
  assert.deepEqual(
    findings.map(({ what, ok }) => [what, ok]),
    ['node', 'profiles', 'platform', 'clock', 'key', 'expiry'].map((what) => [what, true]),
  );
  chmodSync(path.join(cli.folder, '.config/parley/profiles.yaml'), 0o644);
  const open = await cli.run(['doctor']);
  assert.equal(open.code, 1);
  assert.ok(!open.stdout.includes('tai_'));
}

async function completion(world: ClientWorld): Promise<void> {
  const cli = new CommandLine(world);
  await cli.fails(1, 'completion', 'imagined');
  for (const shell of ['bash', 'zsh', 'fish']) assert.equal((await cli.run(['completion', shell])).code, 0);
  const { stdout } = await cli.run(['completion', 'bash']);
  const program = path.join(root, 'clients/cli/dist/main.js');
  const completed = spawnSync(
    'bash',
    [
      '-c',
      `parley() { '${process.execPath}' '${program}' "$@"; }\n${stdout}\nCOMP_WORDS=(parley calls p); COMP_CWORD=2; _parley; echo "\${COMPREPLY[@]}"`,
    ],
    { encoding: 'utf8', env: { PATH: process.env.PATH ?? '', HOME: cli.folder } },
  );
  assert.equal(completed.stdout.trim(), 'place', completed.stderr);
}

async function mcp(world: ClientWorld): Promise<void> {
  const cli = new CommandLine(world);
  await cli.login();
  await cli.fails(1, 'mcp', 'config', 'imagined');
  for (const client of ['claude', 'cursor', 'vscode']) {
    const { code, stdout } = await cli.run(['mcp', 'config', client, '--toolsets', 'agents,calls']);
    assert.equal(code, 0);
    assert.ok(!stdout.includes('tai_'));
    const { mcpServers, servers = mcpServers } = JSON.parse(stdout) as Record<string, Record<string, { url: string }>>;
    const { url } = servers?.parley ?? { url: '' };
    // A client at that address lists only the tools of these sets.
    const connected = new Client({ name: 'parley-test-clients', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${cli.key}` } };
    await connected.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const names = (await connected.listTools()).tools.map(({ name }) => name);
    await connected.close();
    assert.deepEqual(
      ['place_call', 'create_agent', 'create_campaign'].map((name) => names.includes(name)),
      [true, true, false],
    );
  }
}

export const cliSetupChecks: readonly Check[] = [
  { name: 'command line: init and pull, with what both sides changed', run: pulling },
  { name: 'command line: doctor names what is wrong and ends with its exit code', run: doctor },
  { name: 'command line: completions complete in bash', run: completion },
  { name: 'command line: mcp config writes an address that works, and no key', run: mcp },
];
