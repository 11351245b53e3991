import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carries, holders, normalised } from './matching.mts';

const cases = [
  { title: '4 r3: the same key', id: '4 r3', carried: true },
  { title: 'the edge › 4 r3: the same key', id: '4 r3', carried: true },
  { title: '4 r31: another', id: '4 r3', carried: false },
  { title: '2.4 r3: another', id: '4 r3', carried: false },
  { title: '5 r12, r13: a foreign agent', id: '5 r13', carried: true },
  { title: '6 r3 and r4: scopes', id: '6 r4', carried: true },
  {
    title: '2.6 AgentTurnTaking max_call_seconds 59 is refused',
    id: '2.6 AgentTurnTaking max_call_seconds',
    carried: true,
  },
  { title: '2.6 AgentTurnTaking max_call_seconds_more', id: '2.6 AgentTurnTaking max_call_seconds', carried: false },
  { title: '2.1 Agent voice.model', id: '2.1 Agent voice', carried: true },
  { title: '2.6 AgentOpening: callee first › waits', id: '2.6 AgentOpening callee first', carried: true },
  { title: 'decisions 1: something', id: '1 r1', carried: false },
];
for (const { title, id, carried } of cases) {
  await test(`"${title}" ${carried ? 'carries' : 'does not carry'} ${id}`, () =>
    assert.equal(carries(normalised(title), id), carried));
}

const title = (file: string, text: string) => ({ file, title: text, variants: [text] });

await test('a rule is held under the ids under which it stands elsewhere', () => {
  const rule = { id: '8 greeting', words: '', also: ['2.5 Profile greeting'] };
  const titles = [title('a.test.ts', '2.5 Profile greeting'), title('b.test.ts', 'a greeting')];
  assert.deepEqual(holders(rule, titles, new Set()).tests, [titles[0]]);
});

await test('a route is held by the fuzz over every route, once the document has it', () => {
  const rule = { id: '4 GET /v1/a', words: '', also: [], route: 'GET /v1/a' };
  const titles = [title('e2e/fuzz.e2e.test.ts', 'schema fuzz › %s')];
  assert.equal(holders(rule, titles, new Set(['GET /v1/a'])).tests.length, 1);
  assert.equal(holders(rule, titles, new Set()).tests.length, 0);
  assert.equal(holders(rule, [], new Set(['GET /v1/a'])).tests.length, 0);
});
