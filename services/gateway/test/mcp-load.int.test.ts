import net from 'node:net';
import { newId } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { BareMcp, envelope, modernVersion, rpc } from './mcp-client';
import { TestGateway, type Answer } from './test-gateway';

const still = { now: () => new Date('2026-01-15T12:00:30Z'), monotonicMs: () => 0 };
const mebibyte = 1024 * 1024;

/** Answering such batches, with 25 MB each, delayed others by six seconds; load on the machine alone delays them by half a second. */
const patienceMs = 2_500;

/** Requests /livez repeatedly until `work` is done. @returns the longest response time, in ms */
async function longestLivez(gateway: TestGateway, work: Promise<unknown>): Promise<number> {
  let working = true;
  const done = work.finally(() => (working = false));
  let longest = 0;
  while (working) {
    const began = performance.now();
    await gateway.request('GET', '/livez');
    longest = Math.max(longest, performance.now() - began);
  }
  await done;
  return longest;
}

/** Sends a request on a new connection and does not read the answer. */
function unread(gateway: TestGateway, token: string, body: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(gateway.url).port), '127.0.0.1', () => {
      socket.pause();
      const head = `POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n`;
      socket.write(head + body, () => resolve(socket));
    });
    socket.on('error', reject);
  });
}

describe('MCP under load by one key', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    token = gateway.services.token({ scopes: ['agents:read'] });
    await new BareMcp(gateway, token).list();
  });
  afterAll(() => gateway.stop());

  it('refuses batches of 100 tools/list requests with 400, without delaying other clients', async () => {
    const batch = JSON.stringify(Array.from({ length: 100 }, (_, id) => rpc('tools/list', undefined, id)));
    const answers: Answer[] = [];
    const attack = async (): Promise<void> => {
      for (let round = 0; round < 25; round += 1) {
        const sent = Array.from({ length: 8 }, () => gateway.request('POST', '/mcp', { token, body: batch }));
        answers.push(...(await Promise.all(sent)));
      }
    };
    const longest = await longestLivez(gateway, attack());
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    expect(Math.max(...answers.map(({ text }) => text.length))).toBeLessThan(500);
    expect(longest).toBeLessThan(patienceMs);
  });

  it('200 concurrent tools/list requests whose answers are not read neither copy the list in memory nor delay other clients', async () => {
    const page = Buffer.byteLength((await gateway.request('POST', '/mcp', { token, body: rpc('tools/list') })).text);
    const before = process.memoryUsage().arrayBuffers;
    const sockets: net.Socket[] = [];
    const served = () => counted(gateway, 'mcp tools/list');
    const servedBefore = await served();
    const attack = async (): Promise<void> => {
      const body = JSON.stringify(rpc('tools/list'));
      for (let at = 0; at < 200; at += 1) sockets.push(await unread(gateway, token, body));
      // The answers are buffered by the kernel or the process, because the client reads none.
      await eventually(async () => ((await answering(gateway)) >= 200 ? true : undefined));
    };
    const longest = await longestLivez(gateway, attack());
    const grown = process.memoryUsage().arrayBuffers - before;
    for (const socket of sockets) socket.destroy();
    expect(longest).toBeLessThan(patienceMs);
    // With copies it would be 200 pages.
    expect(grown).toBeLessThan(Math.max(8 * mebibyte, 100 * page));
    await eventually(async () => ((await served()) >= servedBefore + 200 ? true : undefined));
  });
});

/** Connections that the server has open. */
const answering = (gateway: TestGateway): Promise<number> =>
  new Promise((resolve, reject) =>
    gateway.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );

/** Requests of a route in the metrics so far. */
async function counted(gateway: TestGateway, route: string): Promise<number> {
  const text = await gateway.metrics.metrics();
  const counts = [...text.matchAll(/^http_server_request_duration_seconds_count\{route="([^"]*)"[^}]*\} (\d+)$/gm)];
  return counts.filter(([, name]) => name === route).reduce((sum, [, , count]) => sum + Number(count), 0);
}

const modern = (method: string) => ({ 'mcp-protocol-version': modernVersion, 'mcp-method': method });
const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const messages: [string, object | string, Record<string, string>, string][] = [
  ['initialize', rpc('initialize', hello), {}, 'mcp initialize'],
  ['ping', rpc('ping'), {}, 'mcp ping'],
  ['tools/list', rpc('tools/list'), {}, 'mcp tools/list'],
  ['tools/list in the 2026 revision', rpc('tools/list', envelope()), modern('tools/list'), 'mcp tools/list'],
  ['tools/call', rpc('tools/call', { name: 'list_agents', arguments: {} }), {}, 'mcp list_agents'],
  ['tools/call of an unknown tool', rpc('tools/call', { name: 'nothing' }), {}, 'mcp tools/call'],
  ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, {}, 'mcp notification'],
  ['an unknown method', rpc('other'), {}, 'mcp other'],
  ['a batch', [rpc('ping')], {}, 'mcp batch'],
  ['text that is not JSON', '{', {}, 'mcp malformed'],
];

describe('every MCP message', () => {
  it.each(messages)('is counted in the metrics: %s', async (_what, body, headers, route) => {
    const gateway = await TestGateway.start();
    await new BareMcp(gateway, gateway.services.token()).post(body, headers);
    await eventually(async () => ((await counted(gateway, route)) === 1 ? true : undefined));
    await gateway.stop();
  });

  it.each(messages)('counts once against the rate limit, and is 429 above it: %s', async (_what, body, headers) => {
    const limited = newId('org');
    const gateway = await TestGateway.start({ rateLimits: `${limited}=2/86400` }, undefined, still);
    const client = new BareMcp(gateway, gateway.services.token({ organizationId: limited }));
    const answers = [
      await client.post(body, headers),
      await client.post(body, headers),
      await client.post(body, headers),
    ];
    expect(answers.map(({ headers: { ratelimit } }) => String(ratelimit).split(';')[1])).toEqual(['r=1', 'r=0', 'r=0']);
    expect(answers[0]?.status).not.toBe(429);
    expect([answers[2]?.status, answers[2]?.body.error]).toEqual([429, 'rate_limited']);
    expect(answers[2]?.headers['retry-after']).toBe(String(answers[2]?.body.retry_after_seconds));
    await gateway.stop();
  });
});

describe('a refused MCP message', () => {
  it.each<[string, object | string, string[]]>([
    ['a batch', Array.from({ length: 100 }, (_, id) => rpc('tools/list', undefined, id)), ['all']],
    ['an unknown method', rpc('other'), ['all']],
    ['an unknown tool', rpc('tools/call', { name: 'nothing' }), ['all']],
    ['a missing scope', rpc('tools/call', { name: 'list_agents' }), ['calls:read']],
    ['text that is not JSON', '{', ['all']],
  ])('neither makes a list of tools nor reaches a service: %s', async (_what, body, scopes) => {
    const gateway = await TestGateway.start();
    const client = new BareMcp(gateway, gateway.services.token({ scopes }));
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    // Its key is known from then on.
    await client.post(text);
    const before = gateway.services.asked.length;
    const [stringify, parse] = [jest.spyOn(JSON, 'stringify'), jest.spyOn(JSON, 'parse')];
    try {
      await client.post(text);
      const made = stringify.mock.results.map(({ value }) => String(value).length);
      const read = parse.mock.calls.map(([given]) => String(given).length);
      // The message, its answer and the lines of the log, each a few times; a list of tools alone is larger.
      expect([...made, ...read].reduce((sum, length) => sum + length, 0)).toBeLessThan(4 * text.length + 10_000);
    } finally {
      stringify.mockRestore();
      parse.mockRestore();
    }
    expect(gateway.services.asked).toHaveLength(before);
    await gateway.stop();
  });
});
