/** Tests the JSON Schemas of agents-as-code files. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { blocksOf } from '../guide/blocks.mts';
import { root } from '../platform/options.mts';
import { schemaTexts } from '../sdk/schemas.mts';

const texts = schemaTexts();

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const judges = new Map([...texts].map(([name, text]) => [name, ajv.compile(JSON.parse(text) as object)]));

/** The path and the violated keyword of each validation error; empty if the value is valid. */
function faultsOf(kind: 'agent' | 'tool' | 'workflow' | 'suite' | 'parley', value: unknown): string[] {
  const judge = judges.get(`${kind}.schema.json`);
  assert.ok(judge);
  return judge(value) ? [] : (judge.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

const kinds = { agents: 'agent', tools: 'tool', workflows: 'workflow', suites: 'suite', parley: 'parley' } as const;

await test('every file of agents as code that the documentation prints is accepted', () => {
  const printed = globSync('docs/*.md', { cwd: root }).flatMap((page) =>
    blocksOf(readFileSync(path.join(root, page), 'utf8')).flatMap(({ file, code }) => {
      const [folder = ''] = file?.split(/[./]/) ?? [];
      if (!Object.hasOwn(kinds, folder)) return [];
      const text = folder === 'agents' ? (code.split(/^---$/m)[1] ?? '') : code;
      return [{ page, file, kind: kinds[folder as keyof typeof kinds], value: parse(text) as unknown }];
    }),
  );
  assert.deepEqual([...new Set(printed.map(({ kind }) => kind))].sort(), [
    'agent',
    'parley',
    'suite',
    'tool',
    'workflow',
  ]);
  for (const { page, file, kind, value } of printed) assert.deepEqual(faultsOf(kind, value), [], `${page}: ${file}`);
});

await test('an unknown field, a value out of bounds and a tool without its address are refused with their position', () => {
  assert.deepEqual(faultsOf('agent', { name: 'A', lanuages: ['en'] }), [' additionalProperties']);
  assert.ok(
    faultsOf('agent', { turn_taking: { max_call_seconds: 1 } }).includes('/turn_taking/max_call_seconds minimum'),
  );
  assert.deepEqual(
    faultsOf('agent', { tools: [{ file: 'tools/a.yaml' }, 'legacy', { type: 'builtin', name: 'end_call' }] }),
    [],
  );
  assert.ok(faultsOf('agent', { tools: [{ file: '../a.yaml' }] }).length > 0);
  const half = { type: 'webhook', name: 'a', description: 'a', parameters: {}, method: 'POST' };
  assert.ok(faultsOf('tool', half).includes(' required'));
  assert.deepEqual(faultsOf('tool', { ...half, url: 'https://tools.example.com/' }), []);
  assert.ok(faultsOf('workflow', { nodes: [{ id: 'a', type: 'imagined' }], edges: [] }).length > 0);
  // Fields that name the owner or the agent, or expected values, do not belong in a file.
  for (const name of ['organization_id', 'project_id', 'expected_tools', 'agent_id'])
    assert.deepEqual(faultsOf('agent', { [name]: 'x' }), [' additionalProperties']);
});
