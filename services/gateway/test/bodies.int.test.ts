import type { Socket } from 'node:net';
import { allRoutes, limits, routes, uploadBytes, type AnyRoute } from '@parley/contract';
import { openBodyBytes } from '@parley/runtime';
import { eventually, SlowClient } from '@parley/testing';
import { pathOf } from './declared-requests';
import { TestGateway } from './test-gateway';

const carrierPath = '/v1/carriers/twilio/messages';
const carrierHeaders = {
  'content-type': 'application/x-www-form-urlencoded',
  'x-twilio-signature': `${'s'.repeat(27)}=`,
};
const visitorPath = `/chat/dmo_${'x'.repeat(43)}/sessions`;
const json = { 'content-type': 'application/json' };

describe('the size of a body', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    // The control state stays trusted, however long a request takes on a busy machine.
    const clock = { now: () => new Date(), monotonicMs: () => 0 };
    gateway = await TestGateway.start({ publicUrl: 'https://voice.example' }, undefined, clock);
    token = gateway.services.operatorToken(['all', 'operator:read', 'operator:write']);
    gateway.services.overrides = { telephony: { receiveCarrierMessage: async () => ({ body: '<Response/>' }) } };
  });
  afterAll(() => gateway.stop());

  const kibibyte = 1024;
  it.each<[string, string, string, number, Record<string, string>, number]>([
    ['a JSON body', 'POST', '/v1/agents', 1_024 * kibibyte, json, 400],
    ['an MCP message', 'POST', '/mcp', 1_024 * kibibyte, json, 400],
    ['a route without fields', 'POST', '/v1/calls/call_x/cancel', 16 * kibibyte, json, 400],
    ['a sign-in', 'POST', '/v1/sessions', 16 * kibibyte, json, 400],
    ['a read', 'GET', '/v1/agents', 16 * kibibyte, json, 400],
    ["a visitor's request", 'POST', visitorPath, 16 * kibibyte, json, 400],
    ["a carrier's form", 'POST', carrierPath, 64 * kibibyte, carrierHeaders, 200],
  ])(
    '%s: of exactly the limit it is read, and with one more byte it is 413',
    async (_what, method, path, most, headers, read) => {
      const statusOf = async (bytes: number): Promise<number> => {
        const body = Buffer.alloc(bytes, '[');
        return (await gateway.request(method, path, { token, headers, body })).status;
      };
      expect(await statusOf(most)).toBe(read);
      expect(await statusOf(most + 1)).toBe(413);
    },
  );

  const uploads = allRoutes.flatMap((route) => (route.upload ?? []).map((type) => [type, route] as const));
  it.each(uploads)(
    'an upload of %s (%#) is 413 with one byte over its limit, before it is read',
    async (type, route) => {
      const own = gateway.services.token({ kind: route.audience[0] ?? '', scopes: [route.scope ?? ''] });
      const head = [`${route.method} ${pathOf(route)} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${own}`];
      const length = `Content-Length: ${uploadBytes[type] + 1}`;
      const client = await SlowClient.send(gateway.url, [...head, `Content-Type: ${type}`, length]);
      expect(await client.answer()).toEqual([413, 'PayloadTooLargeError']);
      client.leave();
    },
  );
});

describe('the bytes of bodies in flight', () => {
  const mebibyte = 1024 * 1024;
  /** Room for 16 of these bodies by client, and for 32 in the process. */
  const held = 64 * 1024;
  const client = 4 * (openBodyBytes + held);
  const settings = {
    publicUrl: 'https://voice.example',
    trustedProxies: 1,
    bodyBudgetPerClientMib: client / mebibyte,
    bodyBudgetMib: (3 * client) / mebibyte,
  };
  let gateway: TestGateway;
  const open: SlowClient[] = [];

  // One each, because bodies are held until the gateway notices that their clients have left.
  beforeEach(async () => (gateway = await TestGateway.start(settings)));
  afterEach(async () => {
    for (const one of open.splice(0)) one.leave();
    await gateway.stop();
  });

  interface Begun {
    readonly from: string;
    readonly token?: string;
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }

  /** Begins a body that holds `held` bytes, and never ends it. */
  async function begin({
    from,
    token,
    method = 'POST',
    path = '/v1/agents',
    headers = json,
  }: Begun): Promise<SlowClient> {
    const head = Object.entries({
      host: 'a',
      'x-forwarded-for': from,
      'content-length': String(held),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`);
    const one = await SlowClient.send(
      gateway.url,
      [`${method} ${path} HTTP/1.1`, ...head],
      Buffer.alloc(held - 20, ' '),
    );
    open.push(one);
    return one;
  }

  /** The answer to a body that is complete, sent once those before it are held. */
  const answerTo = async (begun: Begun, expected: number): Promise<Record<string, unknown>> =>
    eventually(async () => {
      const { from, token, path = '/v1/agents', headers = json } = begun;
      const answer = await gateway.request('POST', path, {
        headers: { ...headers, 'x-forwarded-for': from },
        body: Buffer.alloc(held, ' '),
        ...(token !== undefined && { token }),
      });
      return answer.status === expected ? { ...answer.body, 'retry-after': answer.headers['retry-after'] } : undefined;
    });

  const limited = { error: 'rate_limited', retry_after_seconds: 1, 'retry-after': '1' };

  it('of a key are refused with 429 once its room is used up, from any address, and other keys have theirs', async () => {
    const [token, other] = [gateway.services.token(), gateway.services.token()];
    for (const from of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) await begin({ from, token });
    expect(await answerTo({ from: '192.0.2.5', token }, 429)).toMatchObject(limited);
    expect(await answerTo({ from: '192.0.2.5', token, path: '/mcp' }, 429)).toMatchObject(limited);
    await answerTo({ from: '192.0.2.5', token: other }, 400);
    open.pop()?.leave();
    await answerTo({ from: '192.0.2.5', token }, 400);
  });

  it('of an address are refused with 429 whatever the keys, and other addresses have theirs', async () => {
    const from = '192.0.2.1';
    for (let nth = 0; nth < 3; nth += 1) await begin({ from, token: gateway.services.token() });
    // A part of a recording is stored as a whole, and counts so.
    const worker = gateway.services.token({ scopes: ['worker_jobs:claim', 'worker_jobs:heartbeat'] });
    const { method } = routes.putRecordingPart;
    await begin({ from, token: worker, method, path: pathOf(routes.putRecordingPart), headers: {} });
    const token = gateway.services.token();
    expect(await answerTo({ from, token }, 429)).toMatchObject(limited);
    expect(await answerTo({ from, path: visitorPath }, 413)).toMatchObject({ error: 'PayloadTooLargeError' });
    await answerTo({ from: '192.0.2.5', token }, 400);
  });

  it('of all clients are refused with 503 overloaded, and a request without a body is served', async () => {
    const tokens = Array.from({ length: 12 }, () => gateway.services.token());
    for (const [nth, token] of tokens.entries()) await begin({ from: `192.0.2.${nth}`, token });
    const token = gateway.services.token();
    expect(await answerTo({ from: '192.0.2.99', token }, 503)).toMatchObject({ ...limited, error: 'overloaded' });
    expect(await answerTo({ from: '192.0.2.99', token, path: '/mcp' }, 503)).toMatchObject({ error: 'overloaded' });
    expect((await gateway.request('GET', '/v1/agents', { token })).status).toBe(200);
  });

  it("of webhooks of carriers are refused with 503 webhook_retry_requested, and customers' bodies are read", async () => {
    const [from, path, headers] = ['192.0.2.7', carrierPath, carrierHeaders];
    for (let nth = 0; nth < 4; nth += 1) await begin({ from, path, headers });
    const refused = await answerTo({ from, path, headers }, 503);
    expect(refused).toMatchObject({ error: 'webhook_retry_requested', 'retry-after': '1' });
    await answerTo({ from: '192.0.2.8', token: gateway.services.token() }, 400);
  });
});

it('refusals of many bodies that have not arrived are sent one after the other, and the rest of the bodies is not read', async () => {
  const gateway = await TestGateway.start();
  const sockets: Socket[] = [];
  gateway.server.on('connection', (socket: Socket) => sockets.push(socket));
  const body = Buffer.alloc(1_000_000, ' ');
  const head = ['POST /v1/agents HTTP/1.1', 'Host: a', `Content-Length: ${body.length + 20}`];
  const began = performance.now();
  const clients = await Promise.all(Array.from({ length: 40 }, () => SlowClient.send(gateway.url, head, body)));
  const answers = await Promise.all(clients.map((client) => client.answer()));
  expect(answers).toEqual(clients.map(() => [401, 'UnauthorizedError']));
  expect(performance.now() - began).toBeGreaterThan(300);
  const read = sockets.map(({ bytesRead }) => bytesRead).sort((one, other) => one - other);
  // Some are the first after a while, and are answered at once.
  expect(read[20]).toBeLessThan(300_000);
  await Promise.all(clients.filter(({ received }) => /^connection: close/im.test(received)).map((one) => one.closed()));
  for (const client of clients) client.leave();
  await gateway.stop();
});

describe('a body that arrives slowly', () => {
  let gateway: TestGateway;
  beforeAll(async () => (gateway = await TestGateway.start({ publicUrl: 'https://voice.example' })));
  afterAll(() => gateway.stop());

  const authorized = (token: string): string => `Authorization: Bearer ${token}`;
  const formHead = Object.entries(carrierHeaders).map(([name, value]) => `${name}: ${value}`);

  it('is 400 after 5 s without data, and its connection is closed: REST, MCP, worker routes, uploads, carriers', async () => {
    const { services } = gateway;
    const token = services.token();
    const worker = services.token({ scopes: ['worker_jobs:claim', 'worker_jobs:heartbeat'] });
    const part: AnyRoute = routes.putRecordingPart;
    const requests: [string, string[]][] = [
      ['POST /v1/agents', [authorized(token)]],
      ['POST /mcp', [authorized(token)]],
      ['POST /v1/worker-jobs/claim', [authorized(worker)]],
      [`PUT ${pathOf(part)}`, [authorized(worker)]],
      [`POST ${carrierPath}`, formHead],
    ];
    const began = performance.now();
    const clients = await Promise.all(
      requests.map(([line, head]) =>
        SlowClient.send(
          gateway.url,
          [`${line} HTTP/1.1`, 'Host: a', ...head, 'Content-Length: 60000'],
          ' '.repeat(5_000),
        ),
      ),
    );
    const answers = await Promise.all(clients.map((client) => client.answer()));
    expect(answers).toEqual(requests.map(() => [400, 'BadRequestError']));
    expect(performance.now() - began).toBeGreaterThan(4_900);
    await Promise.all(clients.map((client) => client.closed()));
  });

  it('is read if at least 1 KiB arrives each second', async () => {
    const token = gateway.services.token();
    const head = ['POST /v1/agents HTTP/1.1', 'Host: a', authorized(token), `Content-Length: ${14 * 1_024}`];
    const client = await SlowClient.send(gateway.url, head);
    const timer = setInterval(() => client.write(' '.repeat(1_024)), 500);
    // All of it is white space.
    expect(await client.answer()).toEqual([400, 'BadRequestError']);
    clearInterval(timer);
    expect(client.received).not.toMatch(/^connection: close/im);
    client.leave();
  });
});

it('limits by their routes are those of the contract', () => {
  expect(new Set(allRoutes.map(({ bodyBytes }) => bodyBytes))).toEqual(
    new Set([limits.bodyBytes, limits.smallBodyBytes]),
  );
});
