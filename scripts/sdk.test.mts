import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { ParleyError, Parley, items, webhooks, WebhookError } from '../clients/typescript/dist/index.js';
import { eventTypes } from '../libs/contract/dist/events.js';
import { root } from './platform/options.mts';

const read = (file: string): string => readFileSync(file, 'utf8');

await test('a program of 60 operations compiles strictly, without a cast', () => {
  const file = path.join(import.meta.dirname, 'sdk/program.txt');
  const source = read(file);
  const operations = new Set([...source.matchAll(/parley\.\w+\.\w+/g)].map(([name]) => name));
  assert.ok(operations.size >= 60, `${operations.size} operations`);
  assert.ok(!/\bas (?!const\b)|\bany\b|@ts-ignore/.test(source.replaceAll(/^import .*$/gm, '')));
  const name = path.join(root, 'clients/typescript/src/program-of-test.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (at, ...rest) =>
    at === name ? ts.createSourceFile(at, source, ts.ScriptTarget.ES2023) : getSourceFile(at, ...rest);
  host.fileExists = (at) => at === name || fileExists(at);
  host.readFile = (at) => (at === name ? source : readFile(at));
  const program = ts.createProgram([name], options, host);
  const found = ts.getPreEmitDiagnostics(program).map(({ messageText, start, file: at }) => {
    const line = at && start !== undefined ? at.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
  assert.deepEqual(found, []);
});

await test('the compiled SDK stays below 60 KB gzipped, the part for webhooks below 3 KB, the part for calls in a page below 4 KB', () => {
  const dist = path.join(root, 'clients/typescript/dist');
  const size = (names: string[]): number =>
    gzipSync(names.map((name) => read(path.join(dist, name))).join('\n')).length;
  const all = globSync('**/*.js', { cwd: dist });
  assert.ok(all.length > 10 && all.every((name) => statSync(path.join(dist, name)).size > 0));
  assert.ok(size(all) < 60_000, `${size(all)} bytes`);
  const forWebhooks = ['webhooks.js', 'generated/event-types.gen.js'];
  assert.ok(size(forWebhooks) < 3_000, `${size(forWebhooks)} bytes`);
  const inPage = ['browser.js', 'worklets.js', 'test-call.js'];
  assert.ok(size(inPage) < 4_000, `${size(inPage)} bytes`);
});

/** How a server responds to the n-th request. Requests after the last behavior get the last one. */
type Behaviour = RequestListener;

async function withServer(
  behaviours: readonly Behaviour[],
  use: (parley: Parley, seen: IncomingMessage[]) => Promise<void>,
  options: { timeoutMs?: number } = {},
): Promise<void> {
  const seen: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(request);
    behaviours[Math.min(seen.length, behaviours.length) - 1]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await use(new Parley({ apiKey: 'tai_test', baseUrl, ...options }), seen);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
const reset: Behaviour = ({ socket }) => socket.resetAndDestroy();
const silent: Behaviour = () => undefined;
const broken = json(500, { error: 'internal_error', message: 'broken', request_id: 'req_1' });
const created = json(201, { call_id: 'call_1', status: 'queued' });
const place = (parley: Parley): Promise<unknown> =>
  parley.calls.createCall({ body: { agent_id: 'agt_1', to: '+15005550006' } });
const pause = (parley: Parley): Promise<unknown> => parley.campaigns.pauseCampaign({ path: { campaign_id: 'cmp_1' } });
const list = (parley: Parley): Promise<unknown> => parley.agents.listAgents();

const limited = json(429, { error: 'rate_limited', message: 'wait', retry_after_seconds: 0 }, { 'retry-after': '0' });
const closed = json(503, { error: 'platform_maintenance', message: 'closed' }, { 'retry-after': '0' });
const page = json(200, { data: [], next_cursor: null });
const cases: readonly [string, Behaviour[], (parley: Parley) => Promise<unknown>, number, number | 'ok'][] = [
  ['a create is repeated after a reset', [reset, created], place, 2, 'ok'],
  ['a create is repeated after 500', [broken, created], place, 2, 'ok'],
  ['a create is repeated after 429', [limited, created], place, 2, 'ok'],
  ['a read is repeated after a reset', [reset, reset, page], list, 3, 'ok'],
  ['a read is repeated three times at most', [broken], list, 4, 500],
  ['an act without a key is not repeated after a reset', [reset, page], pause, 1, 0],
  ['an act without a key is not repeated after 500', [broken, page], pause, 1, 500],
  ['an act without a key is repeated after 429', [limited, page], pause, 2, 'ok'],
  ['an act without a key is repeated after 503 with Retry-After', [closed, page], pause, 2, 'ok'],
  ['400 is not repeated', [json(400, { error: 'BadRequestError', message: 'no' }), created], place, 1, 400],
  [
    'a wait above a minute is left to the caller',
    [json(429, { error: 'rate_limited', message: 'wait' }, { 'retry-after': '61' })],
    list,
    1,
    429,
  ],
];
for (const [title, behaviours, operation, requests, outcome] of cases) {
  await test(title, () =>
    withServer(behaviours, async (parley, seen) => {
      const ended = await operation(parley).then(
        () => 'ok' as const,
        (error: unknown) => (error instanceof ParleyError ? error.status : error),
      );
      assert.deepEqual([seen.length, ended], [requests, outcome]);
      const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
      assert.equal(keys.size, 1);
      assert.equal([...keys][0] !== undefined, operation === place);
    }),
  );
}

await test('Retry-After is respected', () =>
  withServer([json(429, { error: 'rate_limited', message: 'wait' }, { 'retry-after': '1' }), page], async (parley) => {
    const begin = performance.now();
    await list(parley);
    assert.ok(performance.now() - begin >= 1_000);
  }));

await test('a missing response is a connection error, and the next attempt continues', () =>
  withServer(
    [silent, page],
    async (parley, seen) => {
      await list(parley);
      assert.equal(seen.length, 2);
    },
    { timeoutMs: 200 },
  ));

await test('errors are errors, with status, code, request id and a body that narrows', () =>
  withServer(
    [
      json(
        400,
        { error: 'BadRequestError', message: 'm', errors: [{ path: 'to', code: 'format', message: 'x' }] },
        { 'x-request-id': 'req_1' },
      ),
    ],
    async (parley) => {
      const error = await place(parley).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof ParleyError && error instanceof Error && error.is('BadRequestError'));
      assert.deepEqual(
        [error.status, error.code, error.requestId, error.body.errors?.[0]?.path],
        [400, 'BadRequestError', 'req_1', 'to'],
      );
    },
  ));

await test('items follows pages to the last, and no further', () =>
  withServer(
    [json(200, { data: [1, 2], next_cursor: 'c1' }), json(200, { data: [3], next_cursor: null })],
    async (parley, seen) => {
      const found: unknown[] = [];
      for await (const one of items((cursor) => parley.calls.listCalls({ query: { cursor } }))) found.push(one);
      assert.deepEqual(found, [1, 2, 3]);
      assert.deepEqual(
        seen.map(({ url }) => url),
        ['/v1/calls', '/v1/calls?cursor=c1'],
      );
    },
  ));

await test('items ends if the event log has nothing more now, though every page of it has a cursor', () =>
  withServer(
    [
      json(200, { data: [], next_cursor: 'c1', has_more: true }),
      json(200, { data: [{ id: '1' }], next_cursor: 'c2', has_more: true }),
      json(200, { data: [{ id: '2' }], next_cursor: 'c3', has_more: false }),
    ],
    async (parley, seen) => {
      const found: string[] = [];
      const log = items((after) => parley.events.listEvents({ query: { after: after ?? '2026-01-01T00:00:00Z' } }));
      for await (const { id } of log) found.push(id);
      assert.deepEqual([found, seen.length], [['1', '2'], 3]);
    },
  ));

await test('a change that another write came before is made again on the new version; a conflict at the same version is thrown', async () => {
  const agent = (etag: string, name: string): Behaviour => json(200, { agent_id: 'agt_1', name }, { etag });
  const conflict = json(409, { error: 'ConflictError', message: 'stale' });
  const rename = (parley: Parley): Promise<unknown> =>
    parley.change(
      (options) => parley.agents.getAgent({ path: { agent_id: 'agt_1' }, ...options }),
      ({ name }, options) =>
        parley.agents.updateAgent({ path: { agent_id: 'agt_1' }, body: { name: `${name}!` }, ...options }),
    );
  await withServer([agent('"1"', 'a'), conflict, agent('"2"', 'b'), agent('"3"', 'b!')], async (parley, seen) => {
    await rename(parley);
    assert.deepEqual(
      seen.map(({ method, headers }) => [method, headers['if-match']]),
      [
        ['GET', undefined],
        ['PATCH', '"1"'],
        ['GET', undefined],
        ['PATCH', '"2"'],
      ],
    );
  });
  await withServer([agent('"1"', 'a'), conflict, agent('"1"', 'a')], async (parley, seen) => {
    await assert.rejects(rename(parley), (error) => error instanceof ParleyError && error.is('ConflictError'));
    assert.equal(seen.length, 3);
  });
});

await test('an interrupted stream of events continues after the last event, and ends with its signal', () => {
  const event = (id: string): string =>
    `: comment\nid: c-${id}\nevent: call.queued\ndata: ${JSON.stringify({ id, type: 'call.queued', data: {} })}\n\n`;
  const send =
    (text: string): Behaviour =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(text, () => response.destroy());
    };
  return withServer([send(event('1') + event('2').slice(0, -10)), reset, send(event('2'))], async (parley, seen) => {
    const stop = new AbortController();
    const found: string[] = [];
    for await (const { event: one } of parley.streamEvents({
      after: 'c-0',
      types: ['call.queued', 'call.ended'],
      signal: stop.signal,
    })) {
      found.push(one.id);
      if (found.length === 2) stop.abort();
    }
    assert.deepEqual(found, ['1', '2']);
    const after = seen.map(({ url }) => new URL(url ?? '', 'http://a').searchParams.get('after'));
    assert.deepEqual(after, ['c-0', 'c-1', 'c-1']);
    assert.equal(new URL(seen[0]?.url ?? '', 'http://a').searchParams.get('types'), 'call.queued,call.ended');
  });
});

await test('a stream that the platform refuses is an error', () =>
  withServer([json(403, { error: 'ForbiddenError', message: 'no' })], async (parley) => {
    await assert.rejects(parley.streamEvents().next(), (error) => error instanceof ParleyError && error.status === 403);
  }));

const vectors = JSON.parse(
  /```json\n(\[\n {2}\{\n {4}"title"[\s\S]*?\n\])\n```/.exec(read(path.join(root, 'docs/webhooks.md')))?.[1] ?? '[]',
) as (Record<'title' | 'secret' | 'body' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> & {
  now: number;
  valid: boolean;
})[];
assert.ok(vectors.length >= 6);
for (const { title, secret, body, now, valid, ...headers } of vectors) {
  await test(`webhooks.unwrap, ${title}: ${valid ? 'accepted' : 'refused'}`, async () => {
    const ended = await webhooks.unwrap(body, headers, secret, { now: now * 1000 }).then(
      () => true,
      (error: unknown) => !(error instanceof WebhookError && error.code !== 'body_malformed'),
    );
    assert.equal(ended, valid);
  });
}

await test('webhooks.unwrap takes what webhooks.sign signed, with either of two secrets, and keeps known and unknown types', async () => {
  const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
  const other = 'whsec_ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4CBgoM=';
  const timestamp = String(Math.floor(Date.now() / 1000));
  const unwrapped = async (type: string, secrets: string | string[]): Promise<unknown> => {
    const body = JSON.stringify({ id: 'evt_1', type, data: { a: 1 } });
    const signature = await webhooks.sign('evt_1', timestamp, body, secret);
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    return webhooks.unwrap(new TextEncoder().encode(body), new Headers(headers), secrets);
  };
  for (const type of eventTypes)
    assert.deepEqual(await unwrapped(type, [other, secret]), { id: 'evt_1', type, data: { a: 1 } });
  const unknown = { id: 'evt_1', type: 'unknown', event_type: 'call.imagined', data: { a: 1 } };
  assert.deepEqual(await unwrapped('call.imagined', secret), unknown);
  await assert.rejects(unwrapped('call.imagined', other), { code: 'signature_mismatch' });
  await assert.rejects(unwrapped('call.imagined', 'whsec_not base64'), TypeError);
});
