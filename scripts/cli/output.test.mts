/** Tests the terminal output: tables, records, and plans with prices and latencies before and after. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { describePlan } from '../../clients/cli/dist/agents/describe.js';
import { tableOf } from '../../clients/cli/dist/output.js';
import { root } from '../platform/options.mts';

await test('a page of records is a table under a head: its own id, what names it, its status, when it was made', () => {
  const data = [
    {
      organization_id: 'org_1',
      agent_id: 'agt_1',
      name: 'Reception',
      status: 'active',
      metadata: {},
      created_at: 'now',
    },
    { organization_id: 'org_1', agent_id: 'agt_22', name: null, status: 'inactive', metadata: {}, created_at: 'then' },
  ];
  assert.deepEqual(tableOf({ data, next_cursor: null }).split('\n'), [
    'AGENT_ID  NAME       STATUS    CREATED_AT',
    'agt_1     Reception  active    now',
    'agt_22    -          inactive  then',
  ]);
  assert.equal(tableOf({ data: [], next_cursor: null }), 'none');
});

await test('a record is printed by its fields, and other values unchanged', () => {
  assert.equal(
    tableOf({ call_id: 'call_1', cost: { amount: 1 }, from: null }),
    'call_id  call_1\ncost     {"amount":1}\nfrom     -',
  );
  assert.equal(tableOf(['agents:read', 'calls:read']), 'agents:read\ncalls:read');
});

await test('a plan lists changes, blockers, changes made elsewhere, and price and latency before and after', () => {
  const text = describePlan({
    slug: 'reception',
    agent_id: 'agt_1',
    changes: [{ field: 'first_message', from: 'A', to: 'B' }],
    drift: [{ field: 'name', from: 'C', to: 'D' }],
    preview: {
      blockers: [{ code: 'voice_unknown', scope: 'voice', detail: 'no such voice' }],
      publishes: true,
      publishable: false,
      warnings: ['workers_unknown: which workers there are is not known now'],
      cost: { total_micros: 2_000, stt_micros: 5, is_known: true },
      latency: { first_word_ms: 700 },
    },
    before: { cost: { total_micros: 1_000, stt_micros: 5 }, latency: {} },
  });
  assert.deepEqual(text.split('\n'), [
    'reception (agt_1): changes',
    '  first_message: "A" -> "B"',
    '  changed on the platform: name: "C" -> "D"',
    '  blocked: voice: voice_unknown: no such voice',
    '  warning: workers_unknown: which workers there are is not known now',
    '  price: total micros: 1000 -> 2000',
    '  price: stt micros: 5',
    '  latency: first word ms: unknown -> 700',
  ]);
});

await test('lists of tools and nodes of a workflow are compared by their names', () => {
  const node = (id: string, text: string) => ({ id, type: 'say', text });
  const changes = [
    {
      field: 'tools',
      from: [
        { type: 'webhook', name: 'look_up', url: 'a' },
        { type: 'builtin', name: 'end_call' },
      ],
      to: [
        { type: 'webhook', name: 'look_up', url: 'b' },
        { type: 'builtin', name: 'send_sms' },
      ],
    },
    { field: 'variables', from: undefined, to: [{ name: 'day', type: 'date', required: true }] },
    {
      field: 'workflow',
      from: { nodes: [node('a', 'x'), node('b', 'x')], edges: [] },
      to: { nodes: [node('a', 'y'), node('b', 'x')], edges: [{ from: 'a', to: 'b' }] },
    },
  ];
  const text = describePlan({ slug: 'a', agent_id: 'agt_1', changes, drift: [], preview: null, before: null });
  assert.deepEqual(text.split('\n').slice(1), [
    '  tools: ~ look_up, - end_call, + send_sms',
    '  variables: + day',
    '  workflow: ~ a, ~ edges',
  ]);
});

await test('every command has a description, and the commands of the tree exist', () => {
  const program = path.join(root, 'clients/cli/dist/main.js');
  const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  const complete = (...words: string[]): string[] =>
    run('complete', '--', ...words)
      .stdout.trim()
      .split(' ');
  const tree: Readonly<Record<string, string>> = {
    '': 'login logout whoami profiles doctor init schemas plan apply pull status agents voices calls campaigns events listen webhooks trigger numbers messages keys credentials wallet controls policy api maintenance orgs completion mcp simulate',
    agents: 'list get create edit preview history diff restore suspend',
    voices: 'list play',
    calls: 'place list get watch talk cancel transcript recording approve reject',
    campaigns: 'create launch watch pause resume cancel faults reviews',
    events: 'tail',
    webhooks: 'list create test deliveries retry recover rotate verify',
    mcp: 'config',
  };
  for (const [group, commands] of Object.entries(tree)) {
    const found = new Set(complete(...(group === '' ? [] : [group])));
    assert.deepEqual(
      commands.split(' ').filter((one) => !found.has(one)),
      [],
      group,
    );
  }
});
