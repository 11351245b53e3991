/** Tests plan, apply and pull for an agent whose tools and workflow are in separate files, before it exists and after changes on the platform. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Parley } from '../../clients/typescript/dist/index.js';
import { parse } from 'yaml';
import { CommandLine } from './cli.mts';
import type { Check, ClientWorld } from './world.mts';

const agentFile = `---
name: Orders
languages: [en]
tools:
  - file: tools/look_up_order.yaml
  - { type: builtin, name: end_call }
variables:
  - { name: order, type: string, required: false }
---

You say where orders are. The order is {{order}}.
`;
const toolFile = `# where orders are
type: webhook
name: look_up_order
description: Finds an order.
parameters: { type: object, properties: {} }
url: https://tools.example.com/
method: POST
headers:
  Authorization: Bearer \${env:ORDERS_TOKEN}
`;
const workflowFile = (text: string): string => `# asked first
nodes:
  - { id: start, type: start }
  - { id: which, type: ask, text: '${text}', variable: order }
  - { id: look, type: tool, tool: look_up_order }
  - { id: end, type: end }
edges:
  - { from: start, to: which }
  - { from: which, to: look }
  - { from: look, to: end }
`;
const token = { ORDERS_TOKEN: 'of-the-environment' };

interface Planned {
  readonly agent_id: string | null;
  readonly drift: { field: string }[];
  readonly preview: { cost: object; latency: object; blockers: unknown[]; warnings: string[] } | null;
}

class Folder {
  readonly cli: CommandLine;

  constructor(world: ClientWorld) {
    this.cli = new CommandLine(world);
  }

  text = (file: string): string => readFileSync(path.join(this.cli.folder, file), 'utf8');

  write(file: string, text: string): void {
    mkdirSync(path.dirname(path.join(this.cli.folder, file)), { recursive: true });
    writeFileSync(path.join(this.cli.folder, file), text);
  }

  async ends(code: number, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
    const ended = await this.cli.run(args, token);
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}${ended.stdout}`);
    return ended;
  }
}

async function parts(world: ClientWorld): Promise<void> {
  const folder = new Folder(world);
  const { cli } = folder;
  const parley = new Parley({ apiKey: cli.key, baseUrl: cli.baseUrl });
  await cli.login();
  folder.write('agents/orders.md', agentFile);
  assert.match((await folder.ends(1, 'plan')).stderr, /look_up_order\.yaml/);
  folder.write('tools/look_up_order.yaml', toolFile);
  folder.write('workflows/orders.yaml', workflowFile('Which order?'));
  const unset = await cli.run(['plan']);
  assert.equal(unset.code, 1);
  assert.match(unset.stderr, /ORDERS_TOKEN/);

  // Before the agent exists, the plan shows blockers, price and latency, and creates nothing.
  const own = async (): Promise<string[]> => {
    const { data } = await parley.agents.listAgents({ query: { name: 'Orders' } });
    return data.map(({ agent_id: id }) => id);
  };
  const before = await own();
  const [planned] = JSON.parse((await folder.ends(0, 'plan')).stdout) as Planned[];
  assert.equal(planned?.agent_id, null);
  assert.deepEqual([planned.preview?.blockers, planned.preview?.warnings], [[], []]);
  for (const figures of [planned.preview?.cost, planned.preview?.latency])
    assert.ok(Object.values(figures ?? {}).some((figure) => typeof figure === 'number' && figure > 0));
  folder.write(
    'agents/orders.md',
    agentFile.replace('tools:', 'transcriber: { provider: imagined, model: none }\ntools:'),
  );
  await folder.ends(3, 'plan');
  await folder.ends(3, 'apply', '--project', world.projectId);
  assert.deepEqual(await own(), before);

  folder.write('agents/orders.md', agentFile);
  const [applied] = JSON.parse((await folder.ends(0, 'apply', '--project', world.projectId)).stdout) as {
    agent_id: string;
  }[];
  assert.ok(applied);
  const where = { path: { agent_id: applied.agent_id } };
  assert.ok(!folder.text('parley.lock.default.json').includes(token.ORDERS_TOKEN));
  await folder.ends(0, 'plan', '--detailed-exitcode');
  const published = async (): Promise<number> => (await parley.agents.getWorkflow(where)).published?.version ?? 0;
  assert.equal(await published(), 1);
  const { config } = await parley.agents.getVariables(where);
  assert.deepEqual(config.variables, [{ name: 'order', type: 'string', required: false }]);
  await folder.ends(0, 'apply', '--force');
  assert.equal(await published(), 1, 'what is published already is not published again');

  // A change on the platform is reported as drift, and pull writes it to the file that contains the part.
  const { tools } = await parley.agents.getAgent(where);
  const changed = tools.map((tool) =>
    typeof tool === 'object' && tool.type === 'webhook'
      ? { ...tool, description: 'Finds an order by its number.' }
      : tool,
  );
  await parley.agents.saveVoiceStack({ ...where, body: { tools: changed } });
  const theirs = parse(workflowFile('Which order, please?')) as NonNullable<
    Parameters<typeof parley.agents.createWorkflowDraft>[0]['body']
  >['draft'];
  await parley.agents.createWorkflowDraft({ ...where, body: { draft: theirs } });
  await parley.agents.publishWorkflow({ ...where, body: {} });
  const drifted = JSON.parse((await folder.ends(4, 'plan')).stdout) as Planned[];
  assert.deepEqual(drifted[0]?.drift.map(({ field }) => field).sort(), ['tools', 'workflow']);
  await folder.ends(0, 'pull');
  assert.equal(folder.text('agents/orders.md'), agentFile);
  assert.equal(
    folder.text('tools/look_up_order.yaml'),
    toolFile.replace('Finds an order.', 'Finds an order by its number.'),
  );
  assert.match(folder.text('workflows/orders.yaml'), /^# asked first\n/);
  assert.deepEqual(parse(folder.text('workflows/orders.yaml')), theirs);
  await folder.ends(0, 'plan', '--detailed-exitcode');

  // An invalid workflow is refused with its errors; the published version stays, and no draft is left behind.
  folder.write('workflows/orders.yaml', workflowFile('Which?').replace('to: end', 'to: nowhere'));
  assert.match((await folder.ends(3, 'apply')).stderr, /edge/);
  const left = await parley.agents.getWorkflow(where);
  assert.deepEqual([left.published?.version, left.workflow], [2, null]);

  // If the platform has a draft of the workflow, apply refuses to publish, except with --force.
  await parley.agents.createWorkflowDraft({ ...where, body: {} });
  folder.write('workflows/orders.yaml', workflowFile('Which?'));
  assert.match((await folder.ends(4, 'apply')).stderr, /draft of the workflow/);
  assert.equal(await published(), 2);
  await folder.ends(0, 'apply', '--force');
  assert.equal(await published(), 3);

  // Into an empty folder, pull writes tools and workflow to separate files, without a difference to the platform.
  const other = new Folder(world);
  await other.cli.login();
  await other.ends(0, 'pull', '--agent', applied.agent_id);
  assert.match(other.text('agents/orders.md'), /- file: tools\/look_up_order\.yaml\n/);
  assert.equal((parse(other.text('tools/look_up_order.yaml')) as { name: string }).name, 'look_up_order');
  assert.deepEqual(parse(other.text('workflows/orders.yaml')), parse(workflowFile('Which?')));
  await other.ends(0, 'plan', '--detailed-exitcode');
}

/** A voice stack names credentials by their names, which are resolved when it is planned and applied. */
async function bindings(world: ClientWorld): Promise<void> {
  const folder = new Folder(world);
  const { cli } = folder;
  const parley = new Parley({ apiKey: cli.key, baseUrl: cli.baseUrl });
  await cli.login();
  const secret = 'of-an-account-of-the-simulator';
  folder.write('secret.txt', secret);
  const named = `account of ${path.basename(cli.folder)}`;
  const create = async (kind: string): Promise<string> => {
    const of = ['--kind', kind, '--provider', 'simulator', '--name', named];
    const made = await folder.ends(0, 'credentials', 'create', ...of, '--secret-file', 'secret.txt');
    return (JSON.parse(made.stdout) as { component_credential_id: string }).component_credential_id;
  };
  const file = (name: string): string =>
    `---\nname: Bound\nlanguages: [en]\ncomponent_credential_bindings: { llm: ${name} }\n---\n\nYou greet people.\n`;
  const apply = ['apply', '--project', world.projectId];

  // A name that belongs to no credential of the kind is refused before anything is written.
  await create('tts');
  folder.write('agents/bound.md', file(named));
  for (const args of [['plan'], apply]) {
    const { stderr } = await folder.ends(1, ...args);
    assert.ok(stderr.includes('llm') && stderr.includes(named), stderr);
  }
  assert.equal((await parley.agents.listAgents({ query: { name: 'Bound' } })).data.length, 0);

  await create('llm');
  const [applied] = JSON.parse((await folder.ends(0, ...apply)).stdout) as { agent_id: string }[];
  assert.ok(applied);
  const where = { path: { agent_id: applied.agent_id } };
  const bound = async (): Promise<boolean> => (await parley.agents.getVoiceStack(where)).bound_credentials.llm;
  assert.ok(await bound());
  await folder.ends(0, 'plan', '--detailed-exitcode');
  await folder.ends(0, 'pull');
  assert.equal(folder.text('agents/bound.md'), file(named));
  assert.ok(!folder.text('parley.lock.default.json').includes(secret));

  // A second credential of the kind makes the name ambiguous for a new binding; its id is still accepted.
  const second = await create('llm');
  folder.write('agents/bound.md', file('null'));
  await folder.ends(0, 'apply');
  assert.ok(!(await bound()));
  folder.write('agents/bound.md', file(named));
  assert.ok((await folder.ends(1, 'apply')).stderr.includes(named));
  folder.write('agents/bound.md', file(second));
  await folder.ends(0, 'apply');
  assert.ok(await bound());
}

export const cliPartChecks: readonly Check[] = [
  { name: 'command line: tools and workflows in files of their own, planned before the agent exists', run: parts },
  { name: 'command line: credentials are named in the files of agents', run: bindings },
];
