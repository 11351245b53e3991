/** Tests the command line against the platform, from a new user's first command on, in under five minutes. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Parley } from '../../clients/typescript/dist/index.js';
import { root } from '../platform/options.mts';
import { receiver } from './receiver.mts';
import type { Check, ClientWorld } from './world.mts';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class CommandLine {
  readonly folder: string;
  readonly baseUrl: string;
  readonly key: string;
  commands = 0;

  constructor({ folder, url, environment }: ClientWorld) {
    this.folder = mkdtempSync(path.join(folder, 'cli-'));
    this.baseUrl = url.origin;
    this.key = environment.SERVICE_API_KEY;
  }

  async run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    this.commands += 1;
    const program = path.join(root, 'clients/cli/dist/main.js');
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.folder,
      env: { PATH: process.env.PATH ?? '', HOME: this.folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, stderr };
  }

  /** The JSON output of a successful command. */
  async json<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run(args);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as T;
  }

  async fails(code: number, ...args: string[]): Promise<void> {
    const ended = await this.run(args);
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}${ended.stdout}`);
  }

  write(text: string): void {
    mkdirSync(path.join(this.folder, 'agents'), { recursive: true });
    writeFileSync(path.join(this.folder, 'agents/reception.md'), text);
  }

  async login(): Promise<void> {
    const { code, stderr } = await this.run(['login', '--base-url', this.baseUrl], { PARLEY_API_KEY: this.key });
    assert.equal(code, 0, stderr);
  }
}

const agentFile = (greeting: string, further = ''): string =>
  `---\nname: Reception\nlanguages: [en]\nfirst_message: ${greeting}\n${further}---\nYou are the receptionist of a dental practice.\n`;

async function newUser(world: ClientWorld): Promise<void> {
  const begin = performance.now();
  const cli = new CommandLine(world);
  const parley = new Parley({ apiKey: cli.key, baseUrl: cli.baseUrl });
  const { organization } = await parley.me.getMe();
  assert.ok(organization);
  const { data: numbers } = await parley.numbers.listNumbers();
  if (numbers.length === 0)
    await parley.numbers.createNumber({
      body: {
        organization_id: organization.organization_id,
        project_id: world.projectId,
        phone_number: '+15005550100',
        provider: 'simulator',
      },
    });

  await cli.login();
  const profiles = path.join(cli.folder, '.config/parley/profiles.yaml');
  assert.equal(statSync(profiles).mode & 0o777, 0o600);
  cli.write(agentFile('Good morning'));
  assert.equal((await cli.run(['plan', '--detailed-exitcode'])).code, 10);
  const [applied] = await cli.json<{ agent_id: string; changed: boolean }[]>('apply', '--project', world.projectId);
  assert.ok(applied?.changed);
  assert.equal((await cli.run(['plan', '--detailed-exitcode'])).code, 0);

  const receiving = await receiver();
  try {
    const since = new Date(Date.now() - 1_000).toISOString();
    const call = await cli.json<{ call_id: string }>('calls', 'place', applied.agent_id, '+15005550006');
    assert.equal((await cli.json<{ status: string }>('calls', 'watch', call.call_id)).status, 'completed');
    const forwarded = ['listen', '--forward', receiving.url, '--secret', receiving.secret, '--types', 'call.completed'];
    const heard = await cli.run([...forwarded, '--after', since, '--count', '1']);
    assert.equal(heard.code, 0, heard.stderr);
    assert.deepEqual(receiving.received, ['call.completed']);
    const { turns } = await cli.json<{ turns: unknown[] }>('calls', 'transcript', call.call_id);
    assert.ok(turns.length > 0);
  } finally {
    receiving.close();
  }
  assert.ok(cli.commands <= 12, `${cli.commands} commands`);
  assert.ok(performance.now() - begin < 300_000);
}

async function failures(world: ClientWorld): Promise<void> {
  const cli = new CommandLine(world);
  const parley = new Parley({ apiKey: cli.key, baseUrl: cli.baseUrl });
  await cli.fails(5, 'whoami');
  await cli.login();
  await cli.fails(1, 'imagined');
  await cli.fails(1, 'plan');
  await cli.fails(2, 'calls', 'get', 'call_imagined');
  cli.write(agentFile('Hello'));
  const [applied] = await cli.json<{ agent_id: string; changed: boolean }[]>('apply', '--project', world.projectId);
  assert.ok(applied);
  const path_ = { agent_id: applied.agent_id };
  const version = async (): Promise<string | null> =>
    (await parley.withResponse((options) => parley.agents.getAgent({ path: path_, ...options }))).response.headers.get(
      'etag',
    );

  // Applying again changes nothing.
  const before = await version();
  const [again] = await cli.json<{ changed: boolean }[]>('apply');
  assert.deepEqual([again?.changed, await version()], [false, before]);

  // If there are blockers, nothing is written.
  cli.write(agentFile('Hello', 'transcriber: { provider: imagined, model: none }\n'));
  await cli.fails(3, 'plan');
  await cli.fails(3, 'apply');
  assert.equal(await version(), before);

  // Drift is refused first, and overwritten with --force.
  await parley.agents.saveVoiceStack({ path: path_, body: { first_message: 'Changed elsewhere' } });
  cli.write(agentFile('Good evening'));
  await cli.fails(4, 'plan');
  await cli.fails(4, 'apply');
  await cli.json('apply', '--force');
  assert.equal((await parley.agents.getVoiceStack({ path: path_ })).first_message, 'Good evening');

  // A changed field is also overwritten if the file still has the value that was applied.
  await parley.agents.saveVoiceStack({ path: path_, body: { first_message: 'Changed elsewhere' } });
  await cli.json('apply', '--force');
  assert.equal((await parley.agents.getVoiceStack({ path: path_ })).first_message, 'Good evening');

  // The same file creates another agent if it is applied from another folder.
  const other = new CommandLine(world);
  await other.login();
  other.write(agentFile('Good evening'));
  const [second] = await other.json<{ agent_id: string }[]>('apply', '--project', world.projectId);
  assert.notEqual(second?.agent_id, applied.agent_id);

  // A key without the required scope.
  const { organization } = await parley.me.getMe();
  assert.ok(organization);
  const { token } = await parley.apiKeys.mintApiKey({
    body: { organization_id: organization.organization_id, name: 'reader', scopes: ['agents:read'] },
  });
  assert.ok(token);
  const refused = await cli.run(['calls', 'list'], { PARLEY_API_KEY: token });
  assert.equal(refused.code, 5, refused.stderr);
  assert.match(refused.stderr, /^ForbiddenError:/);
  assert.ok(!readFileSync(path.join(cli.folder, 'parley.lock.default.json'), 'utf8').includes('tai_'));
}

export const cliChecks: readonly Check[] = [
  { name: 'command line: from login to a forwarded webhook in 12 commands', run: newUser },
  { name: 'command line: an exit code for each kind of failure', run: failures },
];
