/** Tests the generated commands: resources, campaigns from CSV, webhooks, reviews, and every route. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { Parley } from '../../clients/typescript/dist/index.js';
import { CommandLine } from './cli.mts';
import { numberOf } from './snippets.mts';
import type { Check, ClientWorld } from './world.mts';

interface Agent {
  readonly agent_id: string;
  readonly name: string;
}

async function started(world: ClientWorld): Promise<{ cli: CommandLine; parley: Parley }> {
  const cli = new CommandLine(world);
  const parley = new Parley({ apiKey: cli.key, baseUrl: cli.baseUrl });
  await cli.login();
  await numberOf(parley, world.projectId);
  return { cli, parley };
}

const file = (cli: CommandLine, name: string, text: string): string => {
  const at = path.join(cli.folder, name);
  writeFileSync(at, text);
  return at;
};

async function resources(world: ClientWorld): Promise<void> {
  const { cli } = await started(world);
  await cli.fails(1, 'agents', 'create', '--name', 'Half', '--project-id', world.projectId);
  const of = ['--project-id', world.projectId, '--mode', 'hosted'];
  const { agent_id: id } = await cli.json<Agent>('agents', 'create', '--name', 'By command', ...of);
  assert.equal((await cli.json<Agent>('agents', 'get', id)).name, 'By command');
  const stack = file(cli, 'stack.json', '{"languages":["en"],"first_message":"One"}');
  const preview = await cli.json<{ publishes: boolean }>('agents', 'preview', id, '-d', `@${stack}`);
  assert.equal(preview.publishes, true);
  await cli.json('api', 'PATCH', `/v1/agents/${id}/voice-stack`, '-d', `@${stack}`);
  await cli.json('api', 'PATCH', `agents/${id}/voice-stack`, '-d', '{"first_message":"Two"}');
  const { data: versions } = await cli.json<{ data: { version: number }[] }>('agents', 'history', id);
  assert.deepEqual(versions.map(({ version }) => version).sort(), [1, 2]);
  const { changes } = await cli.json<{ changes: unknown[] }>('agents', 'diff', id, '2', '--against', '1');
  assert.ok(changes.length > 0);
  assert.equal((await cli.json<{ first_message: string }>('agents', 'restore', id, '1')).first_message, 'One');
  const old = await cli.run([
    ...['api', 'PATCH', `agents/${id}/voice-stack`, '-d', '{"turn_taking":{"barge_in_speech_rms":500}}'],
  ]);
  assert.equal(old.code, 0, old.stderr);
  assert.match(old.stderr, /^warning: PATCH \/v1\/agents\/\{agent_id\}\/voice-stack: .*barge_in_speech_rms/m);
  // Operator actions on agents; the organization's own key is refused with the matching exit code.
  const operator = { PARLEY_API_KEY: world.keys.operator_key };
  await cli.fails(5, 'agents', 'suspend', id);
  const statuses: unknown[] = [];
  for (const act of ['suspend', 'reinstate']) {
    const { code, stdout, stderr } = await cli.run(['agents', act, id], operator);
    assert.equal(code, 0, stderr);
    statuses.push((JSON.parse(stdout) as { status: string }).status);
  }
  assert.deepEqual(statuses, ['suspended', 'active']);
  assert.equal((await cli.run(['agents', 'suspend', id, '--if-match', '"0"'], operator)).code, 4);

  // All pages of a list, and only the ids.
  const all = await cli.json<Agent[]>('agents', 'list', '--project-id', world.projectId, '--limit', '1', '--all');
  const quiet = await cli.run(['agents', 'list', '--project-id', world.projectId, '--all', '-q']);
  assert.deepEqual(
    quiet.stdout.trim().split('\n'),
    all.map(({ agent_id: one }) => one),
  );
  const first = await cli.run(['agents', 'list', '--limit', '1']);
  assert.match(first.stderr, /--cursor/);
  await cli.fails(1, 'agents', 'list', '--limit', 'many');

  assert.ok((await cli.json<{ data: unknown[] }>('numbers', 'list')).data.length > 0);
  assert.ok((await cli.json<{ data: unknown[] }>('voices', 'list', '--language', 'en')).data.length > 0);
  for (const command of [
    ['wallet', 'get'],
    ['wallet', 'ledger'],
    ['controls', 'get'],
    ['policy', 'get'],
    ['messages', 'list'],
  ])
    await cli.json(...command);
  for (const command of [
    ['credentials', 'list'],
    ['calls', 'list', '--status', 'completed'],
    ['webhooks', 'list'],
  ])
    await cli.json(...command);
  const { key_id: keyId, token } = await cli.json<{ key_id: string; token: string }>(
    ...['keys', 'mint', '--name', 'by command', '--scopes', 'agents:read,calls:read'],
  );
  assert.equal((await cli.run(['agents', 'get', id], { PARLEY_API_KEY: token })).code, 0);
  await cli.json('keys', 'revoke', keyId);
  // Every gateway refuses a revoked key within a second.
  const refused = async () => (await cli.run(['agents', 'get', id], { PARLEY_API_KEY: token })).code;
  let code = await refused();
  for (const end = Date.now() + 10_000; code === 0 && Date.now() < end;) code = await refused();
  assert.equal(code, 5);
  // Commands for operators.
  await cli.fails(5, 'orgs', 'list');
  assert.equal((await cli.run(['orgs', 'list'], operator)).code, 0);
  assert.equal((await cli.run(['maintenance', 'get'], operator)).code, 0);

  // An unknown route results in suggestions; a refused request results in the exit code for that error.
  const unknown = await cli.run(['api', 'POST', '/v1/agents/agt_1']);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /PATCH \/v1\/agents\/\{agent_id\}/);
  await cli.fails(2, 'api', 'GET', '/v1/agents/agt_imagined');
  assert.equal((await cli.run(['api', 'GET', '/v1/api-keys/scopes'])).code, 0);
  await cli.fails(1, 'agents', 'create', '-d', 'no json');
  await cli.json('agents', 'delete', id);

  // Secrets are not accepted as arguments, because those are visible in process lists.
  const help = await cli.run(['credentials', 'create', '--help']);
  assert.match(help.stdout, /--secret-file <file>/);
  assert.ok(!/--secret </.test(help.stdout));
}

async function campaign(world: ClientWorld): Promise<void> {
  const { cli } = await started(world);
  cli.write('---\nname: Reminder\nlanguages: [en]\n---\nYou remind people of their appointment.\n');
  const [agent] = await cli.json<Agent[]>('apply', '--project', world.projectId);
  assert.ok(agent);
  const csv = file(cli, 'contacts.csv', 'to,consent,name\n+15005550006,yes,Ann\nnone,yes,Cy\n');
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const window = JSON.stringify({ time_zone: 'Europe/Berlin', days, start: '00:00', end: '23:59' });
  // The agent is identified by its file, as in other commands.
  const rates = ['--max-concurrent', '5', '--calls-per-minute', '30', '--window', window];
  const made = await cli.run([
    'campaigns',
    'create',
    '--agent-id',
    'reception',
    '--name',
    'Reminders',
    ...rates,
    '--csv',
    csv,
  ]);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stderr, /added 1 contact\(s\), skipped 0 that already exist, rejected 1 line\(s\)\n {2}line 3: /);
  const { campaign_id: id } = JSON.parse(made.stdout) as { campaign_id: string };
  const [fault] = await cli.json<{ line: number }[]>('campaigns', 'faults', id);
  assert.equal(fault?.line, 3);
  await cli.json('campaigns', 'launch', id);
  const watched = await cli.run(['campaigns', 'watch', id]);
  assert.equal(watched.code, 0, watched.stderr);
  assert.match(watched.stderr, /completed: 1 of 1 contacts, 0 live/);
  assert.equal((await cli.json<{ data: unknown[] }>('campaigns', 'attempts', id)).data.length, 1);
  assert.deepEqual(await cli.json('campaigns', 'reviews', id), []);
}

async function hooks(world: ClientWorld): Promise<void> {
  const { cli } = await started(world);
  const addresses = [
    '--webhook-url',
    'https://receiver.example/hook',
    '--audio-stream-url',
    'wss://receiver.example/audio',
  ];
  const made = await cli.json<{ agent_endpoint_id: string; secret: string }>(
    ...['webhooks', 'create', '--project-id', world.projectId, ...addresses, '--events', 'call.completed'],
  );
  const id = made.agent_endpoint_id;
  const { delivery_id: delivery } = await cli.json<{ delivery_id: string }>('webhooks', 'test', id);
  const { data } = await cli.json<{ data: { delivery_id: string }[] }>('webhooks', 'deliveries', id);
  assert.ok(data.some(({ delivery_id: one }) => one === delivery));
  const rotated = await cli.json<{ secret: string }>('webhooks', 'rotate', id);
  assert.notEqual(rotated.secret, made.secret);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const recovery = await cli.run(['webhooks', 'recover', id, '--since', since]);
  assert.equal(recovery.code, 0, recovery.stderr);
  assert.match(recovery.stderr, /completed: \d+ of \d+ events are delivered again/);

  const body = '{"id":"evt_1","type":"call.completed","data":{}}';
  const now = new Date();
  const headers = ['--id', 'evt_1', '--timestamp', String(Math.floor(now.getTime() / 1_000))];
  const signature = ['--signature', new Webhook(rotated.secret).sign('evt_1', now, body)];
  const given = ['webhooks', 'verify', file(cli, 'body.json', body), ...headers, ...signature, '--secret'];
  assert.deepEqual(await cli.json(...given, rotated.secret), { valid: true, type: 'call.completed', id: 'evt_1' });
  const forged = await cli.run([...given, made.secret]);
  assert.equal(forged.code, 2);
  assert.equal((JSON.parse(forged.stdout) as { code: string }).code, 'signature_mismatch');
  await cli.json('webhooks', 'delete', id);
}

async function reviews(world: ClientWorld): Promise<void> {
  const { cli, parley } = await started(world);
  cli.write('---\nname: Reviewed\nlanguages: [en]\n---\nYou greet people.\n');
  const [agent] = await cli.json<Agent[]>('apply', '--project', world.projectId);
  assert.ok(agent);
  const { organization } = await parley.me.getMe();
  const of = { organization_id: organization?.organization_id ?? '' };
  const { token } = await parley.apiKeys.mintApiKey({
    body: { ...of, name: 'reviewer', scopes: ['api_keys:write', 'calls:read', 'calls:write'] },
  });
  // The policy is set by the operator, whose key belongs to no organization, so the command names one.
  const operator = { PARLEY_API_KEY: world.keys.operator_key };
  const setPolicy = async (...options: string[]): Promise<void> => {
    const set = ['policy', 'set', '--organization-id', of.organization_id, ...options];
    const { code, stderr } = await cli.run(set, operator);
    assert.equal(code, 0, stderr);
  };
  assert.equal((await cli.run(['policy', 'set', '-d', '{}'], operator)).code, 1);
  await setPolicy('--consent-required', '{"mode":"enforce","action":"review"}');
  try {
    const place = () => cli.json<{ call_id: string; status: string }>('calls', 'place', 'reception', '+15005550006');
    const [held, refused] = [await place(), await place()];
    assert.deepEqual([held.status, refused.status], ['needs_review', 'needs_review']);
    // The call has to be approved with another key than the one that placed it.
    await cli.fails(4, 'calls', 'approve', held.call_id);
    const approved = await cli.run(['calls', 'approve', held.call_id], { PARLEY_API_KEY: token ?? '' });
    assert.equal(approved.code, 0, approved.stderr);
    assert.equal((await cli.json<{ status: string }>('calls', 'reject', refused.call_id)).status, 'canceled');
    const watched = await cli.run(['calls', 'watch', held.call_id]);
    assert.equal(watched.code, 0, watched.stderr);
    assert.match(watched.stderr, new RegExp(`${held.call_id} completed`));
  } finally {
    await setPolicy('-d', '{}');
  }
}

async function editing(world: ClientWorld): Promise<void> {
  const { cli, parley } = await started(world);
  const tool = `tools:
  - type: webhook
    name: look_up_order
    description: Finds an order.
    parameters: { type: object, properties: {} }
    url: https://tools.example.com/
    method: POST
`;
  cli.write(`---\nname: Edited\nlanguages: [en]\nfirst_message: Before\n${tool}---\nYou greet people.\n`);
  const state = async (): Promise<string | undefined> => (await cli.json<{ state: string }[]>('status'))[0]?.state;
  assert.equal(await state(), 'new');
  const sunk = path.join(cli.folder, 'secrets.json');
  const applied = await cli.run(['apply', '--project', world.projectId, '--secret-sink', `cat >> '${sunk}'`]);
  assert.equal(applied.code, 0, applied.stderr);
  const [one] = JSON.parse(applied.stdout) as Agent[];
  assert.ok(one);
  const { secret, tool: name } = JSON.parse(readFileSync(sunk, 'utf8')) as { secret: string; tool: string };
  assert.match(secret, /^whsec_/);
  assert.deepEqual([name, await state()], ['look_up_order', 'applied']);
  const lock = readFileSync(path.join(cli.folder, 'parley.lock.default.json'), 'utf8');
  assert.ok(![applied.stdout, applied.stderr, lock].some((text) => text.includes(secret)));

  const editor = file(cli, 'editor.sh', '#!/bin/sh\nsed -i \'s/first_message: Before/first_message: After/\' "$1"\n');
  chmodSync(editor, 0o755);
  const edited = await cli.run(['agents', 'edit', 'reception'], { EDITOR: editor });
  assert.equal(edited.code, 0, edited.stderr);
  assert.deepEqual((JSON.parse(edited.stdout) as { fields: string[] }).fields, ['first_message']);
  const path_ = { agent_id: one.agent_id };
  assert.equal((await parley.agents.getVoiceStack({ path: path_ })).first_message, 'After');
  assert.equal(await state(), 'drifted');
  await cli.json('pull');
  assert.equal(await state(), 'applied');
  // The plan shows price and latency before and after if the voice stack changes.
  cli.write(readFileSync(path.join(cli.folder, 'agents/reception.md'), 'utf8').replace('After', 'Later'));
  const [planned] = await cli.json<{ preview: Record<string, object>; before: Record<string, object> }[]>('plan');
  for (const side of [planned?.preview, planned?.before])
    for (const figure of ['cost', 'latency']) assert.ok(Object.keys(side?.[figure] ?? {}).length > 0, figure);
  assert.equal(await state(), 'changed');

  const wave = path.join(cli.folder, 'voice.wav');
  await cli.json('voices', 'play', '-', 'Good morning', '--agent', 'reception', '--out', wave);
  assert.ok(existsSync(wave) && readFileSync(wave).subarray(0, 4).toString() === 'RIFF');
  const named = await cli.json<{ name: string; current: boolean }[]>('profiles');
  assert.deepEqual(
    named.map((profile) => [profile.name, profile.current]),
    [['default', true]],
  );
  await cli.fails(1, 'profiles', 'imagined');
}

export const cliOperationChecks: readonly Check[] = [
  { name: 'command line: resources by their commands, and every route', run: resources },
  { name: 'command line: a campaign from a CSV file to its end', run: campaign },
  { name: 'command line: an endpoint with its deliveries, recovery and signatures', run: hooks },
  { name: 'command line: calls that wait for a review', run: reviews },
  { name: 'command line: an agent in an editor, the state of files, secrets of tools, voices', run: editing },
];
