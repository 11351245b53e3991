import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createLogger } from '@parley/runtime';
import { eventually, SlowClient } from '@parley/testing';
import { request } from 'undici';
import { build } from '../src/build';
import { ConsoleConfig } from '../src/config';

/**
 * What stands between browser and platform. The other end is a local server that answers what no gateway would; signing in at a real platform is in
 * `npm run test:browser`.
 */
interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let seen: Seen[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
let gateway: Server;
let edge: Server;
/** Stops the console that was started last. */
let leave: AbortController;
let base = '';
/** Everything that the consoles have logged. */
const logged: string[] = [];

const token = `tai_${'s'.repeat(38)}`;
const key = `tai_${'k'.repeat(38)}`;
const ring = `k1:${randomBytes(32).toString('base64')}`;

const json8859 = { 'content-type': 'application/json; charset=iso-8859-1' };

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
};

/** Answers sign-in requests like the platform. */
const signingIn = (incoming: IncomingMessage, response: ServerResponse): void => {
  if (incoming.url === '/v1/sessions')
    json(response, 201, { key_id: 'key_1', token, expires_at: new Date(Date.now() + 3_600_000).toISOString() });
  else json(response, 200, { key_id: 'key_1', scopes: ['calls:read'] });
};

async function start(url: string, keys = ring, publicUrl?: string, trustedProxies = 0): Promise<Server> {
  leave = new AbortController();
  const config = Object.assign(new ConsoleConfig(), {
    gatewayUrl: url,
    consoleKeys: keys,
    mediaPublicUrl: 'wss://media.example/browser',
    publicUrl,
    trustedProxies,
  });
  const destination = { write: (line: string) => void logged.push(line) };
  const log = createLogger({ service: 'console', replica: 'test', level: 'trace', destination });
  const identity = (): never => {
    throw new Error('a public address needs none');
  };
  const { http } = await build({ config, log, identity, signal: leave.signal });
  const server = createServer(typeof http === 'function' ? http : undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  gateway = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      answer(incoming, response);
    });
  });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  edge = await start(addressOf(gateway));
  base = addressOf(edge);
});
afterAll(() => {
  for (const server of [edge, gateway]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  seen = [];
  answer = signingIn;
});

type Headers = Record<string, string>;
const own: Headers = { 'sec-fetch-site': 'same-origin', 'x-parley-console': '1' };

async function ask(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  headers: Headers = own,
  body?: string,
  at = base,
) {
  const got = await request(at + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body ?? null,
  });
  return { status: got.statusCode, headers: got.headers, text: await got.body.text() };
}

async function signIn(at = base): Promise<string> {
  const { headers } = await ask('POST', '/console/api/session', own, JSON.stringify({ key }), at);
  return String(headers['set-cookie']).split(';', 1)[0] ?? '';
}

describe('signing in and out', () => {
  it('exchanges the key for a session, whose token is in a sealed cookie and in no answer', async () => {
    const { status, headers, text } = await ask('POST', '/console/api/session', own, JSON.stringify({ key }));
    expect([status, JSON.parse(text)]).toEqual([200, { key_id: 'key_1', scopes: ['calls:read'] }]);
    const cookie = String(headers['set-cookie']);
    expect(cookie).toMatch(
      /^__Host-parley-console=[A-Za-z0-9_-]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Expires=/,
    );
    expect(cookie + text).not.toContain('tai_');
    expect(Buffer.from(cookie.split(/[=;]/)[1] ?? '', 'base64url').includes(token)).toBe(false);
    expect(seen.map(({ method, url, headers: { authorization } }) => [method, url, authorization])).toEqual([
      ['POST', '/v1/sessions', `Bearer ${key}`],
      ['GET', '/v1/me', `Bearer ${token}`],
    ]);
  });

  it.each([
    ['no body', ''],
    ['no key', '{}'],
    ['a number', '{"key":1}'],
    ['another credential', JSON.stringify({ key: 'tgw_x' })],
    ['a key with a line break', JSON.stringify({ key: 'tai_a\nb' })],
    ['a key of 505 characters', JSON.stringify({ key: `tai_${'x'.repeat(501)}` })],
  ])('refuses %s with 400 and sends no request to the platform', async (_, body) => {
    expect((await ask('POST', '/console/api/session', own, body)).status).toBe(400);
    expect(seen).toEqual([]);
  });

  it.each<[string, number, string, Headers, (string | Buffer)?]>([
    ['JSON that is cut', 400, 'BadRequestError', {}, `{"key":"${key}`],
    ['JSON with something behind it', 400, 'BadRequestError', {}, `{"key":"${key}"} oops`],
    ['a JSON string', 400, 'BadRequestError', {}, JSON.stringify(key)],
    ['an array', 400, 'BadRequestError', {}, JSON.stringify([key])],
    ['NUL behind the key', 400, 'BadRequestError', {}, JSON.stringify({ key: `${key}\0` })],
    ['half of a surrogate pair', 400, 'BadRequestError', {}, `{"key":"${key}\\ud800"}`],
    ['bytes that are not UTF-8', 400, 'BadRequestError', {}, Buffer.from(`{"key":"${key}\xff"}`, 'latin1')],
    ['a byte more than 16 KiB', 413, 'PayloadTooLargeError', {}, JSON.stringify({ key }).padEnd(16_385)],
    ['gzip', 415, 'UnsupportedMediaTypeError', { 'content-encoding': 'gzip' }, gzipSync(JSON.stringify({ key }))],
    ['br that is none', 415, 'UnsupportedMediaTypeError', { 'content-encoding': 'br' }, JSON.stringify({ key })],
    ['an unknown encoding', 415, 'UnsupportedMediaTypeError', { 'content-encoding': key }, JSON.stringify({ key })],
    ['another charset', 415, 'UnsupportedMediaTypeError', json8859, JSON.stringify({ key })],
    ['a form', 415, 'UnsupportedMediaTypeError', { 'content-type': 'application/x-www-form-urlencoded' }, `key=${key}`],
    ['a text', 415, 'UnsupportedMediaTypeError', { 'content-type': 'text/plain' }, key],
  ])('refuses %s with %i %s, and logs nothing', async (_, status, error, headers, body) => {
    logged.length = 0;
    const type = { 'content-type': 'application/json' };
    const got = await request(`${base}/console/api/session?key=${key}`, {
      method: 'POST',
      headers: { ...own, ...type, 'x-other': key, ...headers },
      body: body ?? null,
    });
    const text = await got.body.text();
    expect([got.statusCode, JSON.parse(text)]).toEqual([status, { error, message: expect.any(String) }]);
    expect(text).not.toContain(key);
    expect([logged, seen]).toEqual([[], []]);
  });

  it('reads a sign-in of 16 KiB', async () => {
    const { status } = await ask('POST', '/console/api/session', own, JSON.stringify({ key }).padEnd(16_384));
    expect(status).toBe(200);
  });

  it.each([
    ['/console/assets/%ZZ', 404],
    ['/console/api/v1/calls/%ZZ', 404],
    ['/console/api/%ZZ', 404],
    ['/%ZZ', 404],
  ])('%s has a broken escape: %i in JSON', async (path, status) => {
    const got = await ask('GET', path);
    expect([got.status, JSON.parse(got.text)]).toEqual([status, { error: 'not_found', message: expect.any(String) }]);
  });

  it("passes the platform's refusal on, and sets no cookie", async () => {
    answer = (_, response) => json(response, 401, { error: 'UnauthorizedError', message: 'no' });
    const { status, headers } = await ask('POST', '/console/api/session', own, JSON.stringify({ key }));
    expect([status, headers['set-cookie']]).toEqual([401, undefined]);
  });

  it('reads null without a session, and the owner with one', async () => {
    expect((await ask('GET', '/console/api/session')).text).toBe('null');
    const cookie = await signIn();
    expect(JSON.parse((await ask('GET', '/console/api/session', { ...own, cookie })).text)).toMatchObject({
      key_id: 'key_1',
    });
  });

  it('signing out ends the session at the platform and clears the cookie', async () => {
    const cookie = await signIn();
    seen = [];
    const { status, headers } = await ask('DELETE', '/console/api/session', { ...own, cookie });
    expect([status, String(headers['set-cookie'])]).toEqual([
      204,
      expect.stringMatching(/^__Host-parley-console=; .*Max-Age=0$/),
    ]);
    expect(seen.map(({ method, url, headers: { authorization } }) => [method, url, authorization])).toEqual([
      ['DELETE', '/v1/sessions', `Bearer ${token}`],
    ]);
  });

  it('takes no cookie that was altered, or that other keys sealed', async () => {
    const cookie = await signIn();
    const altered = cookie.slice(0, -3) + (cookie.endsWith('AAA') ? 'BBB' : 'AAA');
    const stranger = await start(addressOf(gateway), `k1:${randomBytes(32).toString('base64')}`);
    const foreign = await signIn(addressOf(stranger));
    stranger.closeAllConnections();
    stranger.close();
    for (const wrong of [altered, foreign, `${cookie}; ${cookie}`])
      expect((await ask('GET', '/console/api/v1/calls', { ...own, cookie: wrong })).status).toBe(401);
  });
});

describe('who may ask', () => {
  it.each([
    ['another site', { ...own, 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { ...own, 'sec-fetch-site': 'same-site' }],
    ['an address typed by hand', { ...own, 'sec-fetch-site': 'none' }],
    ['a client that does not say', { 'x-parley-console': '1' }],
    ["a write without the console's header", { 'sec-fetch-site': 'same-origin' }],
  ])('refuses %s with 403', async (_, headers) => {
    const cookie = await signIn();
    seen = [];
    for (const path of ['/console/api/session', '/console/api/v1/calls'])
      expect((await ask('POST', path, { ...headers, cookie }, '{}')).status).toBe(403);
    expect(seen).toEqual([]);
  });
});

describe('/console/api/v1', () => {
  it('sends requests to the platform with the key of the session, and forwards only the required headers', async () => {
    const cookie = await signIn();
    answer = (_, response) => {
      response.setHeader('set-cookie', 'evil=1');
      response.setHeader('etag', '"1"');
      response.setHeader('x-request-id', 'r');
      json(response, 200, { data: [] });
    };
    seen = [];
    const headers = {
      ...own,
      cookie,
      authorization: 'Bearer other',
      'if-match': '"0"',
      'x-secret': '1',
    };
    const got = await ask('PATCH', '/console/api/v1/agents/agt_1?a=%20b', headers, '{"name":"x"}');
    expect(seen).toMatchObject([{ method: 'PATCH', url: '/v1/agents/agt_1?a=%20b', body: '{"name":"x"}' }]);
    expect(seen[0]?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      'if-match': '"0"',
    });
    expect(seen[0]?.headers).not.toHaveProperty('cookie');
    expect(seen[0]?.headers).not.toHaveProperty('x-secret');
    expect(got.headers).toMatchObject({
      etag: '"1"',
      'x-request-id': 'r',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(got.headers).not.toHaveProperty('set-cookie');
  });

  it.each([
    [0, '127.0.0.1'],
    [1, '192.0.2.7'],
    [2, '198.51.100.1'],
  ])(
    "behind %i trusted proxies the platform gets the browser's address %s alone, and its user agent",
    async (proxies, address) => {
      const server = await start(addressOf(gateway), ring, undefined, proxies);
      try {
        const headers = { ...own, 'user-agent': 'Browser/9', 'x-forwarded-for': 'forged, 198.51.100.1, 192.0.2.7' };
        const signedIn = await ask('POST', '/console/api/session', headers, JSON.stringify({ key }), addressOf(server));
        const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? '';
        await ask('PATCH', '/console/api/v1/agents/agt_1', { ...headers, cookie }, '{}', addressOf(server));
        await ask('DELETE', '/console/api/session', { ...headers, cookie }, undefined, addressOf(server));
        expect(seen.map((one) => [one.method, one.headers['x-forwarded-for'], one.headers['user-agent']])).toEqual(
          ['POST', 'GET', 'PATCH', 'DELETE'].map((method) => [method, address, 'Browser/9']),
        );
      } finally {
        server.closeAllConnections();
        server.close();
      }
    },
  );

  it.each([
    ['https://voice.example', 'max-age=31536000'],
    ['http://voice.example', undefined],
    [undefined, undefined],
  ])('if the public address is %s, every response has the HSTS header %s', async (publicUrl, expected) => {
    const server = await start(addressOf(gateway), ring, publicUrl);
    try {
      for (const path of ['/console', '/console/api/session', '/nothing']) {
        const { headers } = await ask('GET', path, own, undefined, addressOf(server));
        expect([path, headers['strict-transport-security']]).toEqual([path, expected]);
      }
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it.each([
    ['POST', '/v1/sessions'],
    ['DELETE', '/v1/sessions'],
    ['POST', '/v1/worker-jobs/claim'],
    ['POST', '/v1/gateway/calls/call_1/authorize'],
    ['POST', '/v1/carriers/twilio/calls'],
    ['POST', '/v1/component-credentials/lease'],
    ['DELETE', '/v1/calls'],
    ['GET', '/v1/calls/..%2fagents'],
    ['GET', '/v1/nothing'],
    ['GET', '/v1/calls/'],
  ] as const)('knows no %s %s', async (method, path) => {
    const cookie = await signIn();
    seen = [];
    expect((await ask(method, `/console/api${path}`, { ...own, cookie })).status).toBe(404);
    expect(seen).toEqual([]);
  });

  it.each(['text/html', 'image/svg+xml', 'application/javascript', 'text/xml', ''])(
    'does not return responses of type "%s"',
    async (type) => {
      const cookie = await signIn();
      answer = (_, response) => {
        response.writeHead(200, type === '' ? {} : { 'content-type': type });
        response.end('<script>1</script>');
      };
      const { status, text } = await ask('GET', '/console/api/v1/calls', { ...own, cookie });
      expect([status, text.includes('<')]).toEqual([502, false]);
    },
  );

  it('passes ranges of a recording', async () => {
    const cookie = await signIn();
    answer = (incoming, response) => {
      response.writeHead(206, { 'content-type': 'audio/wav', 'content-range': 'bytes 2-3/9', 'content-length': '2' });
      response.end(incoming.headers.range === 'bytes=2-3' ? 'cd' : 'no');
    };
    const got = await ask('GET', '/console/api/v1/calls/call_1/recording/audio', {
      ...own,
      cookie,
      range: 'bytes=2-3',
    });
    expect([got.status, got.text, got.headers['content-range']]).toEqual([206, 'cd', 'bytes 2-3/9']);
  });

  it('forwards each event as it arrives, closes its request to the platform when the page closes, and ends streams when it drains', async () => {
    const draining = await start(addressOf(gateway));
    const cookie = await signIn();
    let streaming: ServerResponse | undefined;
    answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      streaming = response;
    };
    const open = async () => {
      const controller = new AbortController();
      const got = await request(`${addressOf(draining)}/console/api/v1/events`, {
        headers: { ...own, cookie },
        signal: controller.signal,
      });
      const reader = got.body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      expect(String((await reader.next()).value)).toBe('data: 1\n\n');
      return { controller, reader };
    };
    const first = await open();
    const left = once(streaming as ServerResponse, 'close');
    first.controller.abort();
    await left;

    const second = await open();
    streaming?.write('data: 2\n\n');
    expect(String((await second.reader.next()).value)).toBe('data: 2\n\n');
    leave.abort();
    await expect(second.reader.next()).rejects.toThrow();
    draining.closeAllConnections();
    draining.close();
  });

  it('clears the cookie of a session that has ended', async () => {
    const cookie = await signIn();
    answer = (_, response) => json(response, 401, { error: 'UnauthorizedError', message: 'over' });
    const { status, headers } = await ask('GET', '/console/api/v1/calls', { ...own, cookie });
    expect([status, String(headers['set-cookie'])]).toEqual([401, expect.stringContaining('Max-Age=0')]);
  });

  it('is 503 with Retry-After if the gateway is away, and works again when it is back', async () => {
    const lost = await start('http://127.0.0.1:1');
    const cookie = await signIn();
    const { status, headers } = await ask(
      'GET',
      '/console/api/v1/calls',
      { ...own, cookie },
      undefined,
      addressOf(lost),
    );
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    lost.closeAllConnections();
    lost.close();
    answer = (_, response) => json(response, 200, {});
    expect((await ask('GET', '/console/api/v1/calls', { ...own, cookie })).status).toBe(200);
  });
});

describe('pages', () => {
  it('every address returns the same page, with a policy that has a new nonce each time', async () => {
    const policies = [];
    for (const path of ['/console', '/console/', '/console/calls/call_1?tab=events']) {
      const { status, headers, text } = await ask('GET', path, {});
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      const policy = String(headers['content-security-policy']);
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      expect(text).toContain(`content="${nonce}"`);
      expect(text).not.toContain('%NONCE%');
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self' wss://media.example",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
      ])
        expect(policy.split('; ')).toContain(part);
      expect(policy).not.toMatch(/unsafe|\*/);
      policies.push(nonce);
    }
    expect(new Set(policies).size).toBe(3);
  });

  it('loads nothing from other origins, and its files are compressed, hashed and cached', async () => {
    const { text } = await ask('GET', '/console', {});
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      expect(file).toMatch(/^\/console\//);
      const got = await ask('GET', file, { 'accept-encoding': 'br' });
      expect([got.status, got.headers['content-encoding']]).toEqual([200, 'br']);
      if (file.includes('/assets/')) expect(got.headers['cache-control']).toContain('immutable');
      const again = await ask('GET', file, { 'if-none-match': String(got.headers['etag']) });
      expect(again.status).toBe(304);
    }
  });

  it.each(['/console/assets/none.js', '/console/assets/../../package.json', '/package.json', '/console/api/nothing'])(
    'has no %s',
    async (path) => {
      expect((await ask('GET', path, own)).status).toBe(404);
    },
  );

  it('takes no other method', async () => {
    expect((await ask('POST', '/console', {})).status).toBe(405);
  });
});

describe('bodies that do not end', () => {
  const open: SlowClient[] = [];
  afterEach(() => {
    for (const client of open.splice(0)) client.leave();
  });

  async function begin(method: string, path: string, cookie = ''): Promise<SlowClient> {
    const headers = { host: 'a', ...own, cookie, 'content-type': 'application/json', 'content-length': '9000' };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const client = await SlowClient.send(base, [`${method} ${path} HTTP/1.1`, ...head], '{');
    open.push(client);
    return client;
  }

  it('are 400 after 5 s without data, and their connections are closed: a sign-in and a body that is passed on', async () => {
    const cookie = await signIn();
    const clients = [
      await begin('POST', '/console/api/session'),
      await begin('PATCH', '/console/api/v1/agents/agt_x', cookie),
    ];
    const answers = await Promise.all(clients.map((client) => client.answer()));
    expect(answers).toEqual(clients.map(() => [400, 'BadRequestError']));
    await Promise.all(clients.map((client) => client.closed()));
  });

  it('are 64 at once from one address; a further one is 429 with Retry-After, and reads are answered', async () => {
    for (let nth = 0; nth < 64; nth += 1) await begin('POST', '/console/api/session');
    const refused = await eventually(async () => {
      const answered = await ask('POST', '/console/api/session', own, JSON.stringify({ key }));
      return answered.status === 429 ? answered : undefined;
    });
    expect(JSON.parse(refused.text)).toMatchObject({ error: 'rate_limited', retry_after_seconds: 1 });
    expect(refused.headers['retry-after']).toBe('1');
    expect((await ask('GET', '/console/api/session')).status).toBe(200);
  });
});
