/** Tests the connections of event streams: when the SDK opens and closes them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Parley } from '../../clients/typescript/dist/index.js';

const blockOf = (id: string): string =>
  `id: c-${id}\r\nevent: call.queued\r\ndata: ${JSON.stringify({ id, type: 'call.queued', data: {} })}\r\n\r\n`;

/** Runs a function with a server that responds to the n-th request as the function `respond` decides. */
async function withStreams(
  respond: (response: ServerResponse, n: number) => void,
  use: (parley: Parley, urls: string[], responses: ServerResponse[]) => Promise<void>,
): Promise<void> {
  const urls: string[] = [];
  const responses: ServerResponse[] = [];
  const server = createServer(({ url = '' }, response) => {
    urls.push(url);
    responses.push(response.writeHead(200, { 'content-type': 'text/event-stream' }));
    respond(response, urls.length - 1);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await use(new Parley({ apiKey: 'tai_test', baseUrl }), urls, responses);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

await test('a stream that ends regularly is opened again after its last event, and one that has sent no event at the time of its begin', () =>
  withStreams(
    (response, n) => response.end(n === 0 ? 'retry: 1000\n\n: nothing new\n\n' : blockOf(String(n))),
    async (parley, urls) => {
      const found: string[] = [];
      for await (const { event, cursor, json } of parley.streamEvents({ agentId: 'agt_1' })) {
        found.push(`${cursor} ${event.id} ${(JSON.parse(json) as { type: string }).type}`);
        if (found.length === 2) break;
      }
      assert.deepEqual(found, ['c-1 1 call.queued', 'c-2 2 call.queued']);
      const after = urls.map((url) => new URL(url, 'http://a').searchParams.get('after') ?? '');
      assert.deepEqual(after.toSpliced(1, 1), ['', 'c-1']);
      assert.match(after[1] ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
      assert.ok(urls.every((url) => new URL(url, 'http://a').searchParams.get('agent_id') === 'agt_1'));
    },
  ));

await test('the connection is closed when the reader leaves the stream, and when its signal is aborted while it waits', async () => {
  await withStreams(
    (response) => response.write(blockOf('1')),
    async (parley, _, responses) => {
      for await (const { event } of parley.streamEvents()) if (event.id === '1') break;
      const [response] = responses;
      assert.ok(response);
      if (!response.closed) await once(response, 'close', { signal: AbortSignal.timeout(5_000) });
    },
  );
  await withStreams(
    (response) => response.flushHeaders(),
    async (parley, _, responses) => {
      const stop = new AbortController();
      const next = parley.streamEvents({ signal: stop.signal }).next();
      while (responses.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      stop.abort();
      assert.deepEqual(await next, { done: true, value: undefined });
      const [response] = responses;
      if (response && !response.closed) await once(response, 'close', { signal: AbortSignal.timeout(5_000) });
    },
  );
});

await test('a stream is tried until it is open, more often than requests are repeated', async () => {
  let asked = 0;
  const fetch = (): Promise<Response> => {
    asked += 1;
    if (asked === 1) return Promise.reject(new TypeError('the connection was reset'));
    const refusal = { status: asked % 2 === 0 ? 429 : 503, headers: { 'retry-after': '0' } };
    return Promise.resolve(asked < 6 ? new Response(null, refusal) : new Response(blockOf('1')));
  };
  const first = await new Parley({ apiKey: 'tai_test', fetch }).streamEvents().next();
  assert.deepEqual([first.done === true ? undefined : first.value.cursor, asked], ['c-1', 6]);
});
