import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { proofsIn, unproven, type Document, type Proof } from './documented-examples.mts';

const call = { $ref: '#/components/schemas/Call' };
const json = { 'application/json': { schema: call } };
const document: Document = {
  paths: {
    '/v1/calls': {
      parameters: [],
      get: { responses: { 200: { content: json }, 404: {} } },
      post: {
        requestBody: { content: { 'application/json': { schema: { examples: [{ to: 'a' }, { to: 'b' }] } } } },
        responses: { 201: { $ref: '#/components/responses/called' } },
      },
    },
    '/v1/calls/{call_id}/audio': { get: { responses: { 200: { content: { 'audio/*': { schema: {} } } } } } },
  },
  components: {
    schemas: { Call: { examples: [{ call_id: 'call_1' }] } },
    responses: { called: { content: json } },
  },
};

const all: readonly Proof[] = [
  { operation: 'GET /v1/calls', success: '200 application/json', differences: [], compared: ['.call_id'] },
  { operation: 'POST /v1/calls', request: 0 },
  { operation: 'POST /v1/calls', request: 1 },
  { operation: 'POST /v1/calls', success: '201 application/json', differences: [], compared: ['.call_id'] },
  { operation: 'GET /v1/calls/{call_id}/audio', success: '200 audio/*', differences: [], compared: [] },
];

await test('nothing is missing if every example was sent and every success was received as shown', () => {
  assert.deepEqual(unproven(document, all), []);
});

const gaps: readonly (readonly [string, string])[] = [
  ['GET /v1/calls', 'GET /v1/calls 200 application/json: no test received it'],
  ['GET /v1/calls/{call_id}/audio', 'GET /v1/calls/{call_id}/audio 200 audio/*: no test received it'],
];
for (const [operation, expected] of gaps) {
  await test(`a success that no test received is missing: ${operation}`, () => {
    assert.deepEqual(
      unproven(
        document,
        all.filter((one) => one.operation !== operation),
      ),
      [expected],
    );
  });
}

await test('an example of a request that no test sent is missing', () => {
  const others = all.filter((one) => !('request' in one && one.request === 1));
  assert.deepEqual(unproven(document, others), ['POST /v1/calls: no test sent example 2 and had it accepted']);
});

await test('a difference from the example is reported even if another test received the success as shown', () => {
  const wrong = {
    operation: 'GET /v1/calls',
    success: '200 application/json',
    differences: ['.call_id: x'],
    compared: [],
  };
  assert.deepEqual(unproven(document, [...all, wrong]), ['GET /v1/calls 200 application/json: .call_id: x']);
});

await test('a success without any field of its example was not compared', () => {
  const empty = all.map((one) => ('compared' in one ? { ...one, compared: [] } : one));
  assert.deepEqual(unproven(document, empty), [
    'GET /v1/calls 200 application/json: nothing was compared',
    'POST /v1/calls 201 application/json: nothing was compared',
  ]);
});

await test('a success that only an integration test can receive is not missing, and is one no longer if a test received it', () => {
  const template = '/v1/gateway/calls/{call_id}/authorize';
  const { paths } = document;
  const more = { ...document, paths: { ...paths, [template]: { post: { responses: { 200: { content: json } } } } } };
  assert.deepEqual(unproven(more, all), []);
  const at = `POST ${template}`;
  const received = { operation: at, success: '200 application/json', differences: [], compared: ['.call_id'] };
  assert.deepEqual(unproven(more, [...all, received]), [
    `${at} 200 application/json: a test received it, so it is no exception`,
  ]);
});

await test('the proofs of all processes are read, without the half line of one that was killed', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-proofs-'));
  const lines = all.map((one) => JSON.stringify(one));
  writeFileSync(path.join(folder, '1.jsonl'), `${lines.slice(0, 2).join('\n')}\n`);
  writeFileSync(path.join(folder, '2.jsonl'), `${lines.slice(2).join('\n')}\n{"operation":"GET`);
  assert.deepEqual(proofsIn(folder), all);
  rmSync(folder, { recursive: true });
});
