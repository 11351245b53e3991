import net from 'node:net';
import { routes } from '@parley/contract';
import { edgeServerOptions } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { requestOf } from './declared-requests';
import { TestGateway } from './test-gateway';

const newAgent = JSON.stringify(requestOf(routes.createAgent).body);

interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: Record<string, unknown>;
}

/** docs/reference/requests.md: errors that the HTTP parser detects have the same body as all others. */
describe('HTTP-level errors', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    token = gateway.services.token();
  });
  afterAll(() => gateway.stop());

  async function raw(text: string): Promise<RawAnswer[]> {
    const received = await gateway.raw(text);
    const answers: RawAnswer[] = [];
    let rest = received;
    while (rest !== '') {
      const end = rest.indexOf('\r\n\r\n');
      const headers = rest.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? 0);
      const body = rest.slice(end + 4, end + 4 + length);
      const status = Number(headers.split(' ')[1]);
      if (status >= 200) answers.push({ status, headers, body: JSON.parse(body) as Record<string, unknown> });
      rest = rest.slice(end + 4 + length);
    }
    return answers;
  }

  const get = 'GET /v1/agents HTTP/1.1\r\n';
  const post = 'POST /v1/agents HTTP/1.1\r\nHost: a\r\n';

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['an unknown method', 'BREW /v1/agents HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an unknown version', 'GET /v1/agents HTTP/3.7\r\nHost: a\r\n\r\n'],
    ['no Host', `${get}\r\n`],
    ['two Hosts', `${get}Host: a\r\nHost: b\r\n\r\n`],
    ['a space in the path', 'GET /v1/a gents HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a NUL in the path', 'GET /v1/\0 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a NUL in a header', `${get}Host: a\r\nX-A: \0\r\n\r\n`],
    ['a header without a colon', `${get}Host: a\r\nbroken\r\n\r\n`],
    ['a bare line feed as the end', `${get}Host: a\nX: 1\n\n`],
    ['headers of 20 KB', `${get}Host: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a path of 20 KB', `GET /v1/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['two Content-Length headers', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
    [
      'Content-Length with Transfer-Encoding: chunked',
      `${post}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a Content-Length that is not a number', `${post}Content-Length: one\r\n\r\n`],
    ['an unknown transfer coding', `${post}Transfer-Encoding: gzip\r\n\r\n`],
    ['an unsupported Expect header', `${post}Expect: foo\r\nContent-Length: 2\r\n\r\n{}`],
  ])('%s is 400 BadRequestError in JSON', async (_case, text) => {
    const answers = await raw(text);
    expect(answers).toHaveLength(1);
    const [answer] = answers;
    expect([answer?.status, answer?.body.error, answer?.body.message]).toEqual([
      400,
      'BadRequestError',
      expect.any(String),
    ]);
    expect(answer?.headers).toMatch(/^x-request-id: [0-9a-f-]{36}$/im);
    expect(answer?.headers).toMatch(/^connection: close$/im);
    expect(answer?.headers).toMatch(/^content-type: application\/json/im);
  });

  it('answers an invalid chunk with a single 400, although the request is being processed', async () => {
    const head = `${post}Authorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answers = await raw(`${head}2\r\n{"\r\nZZ\r\n`);
    expect(answers.map((answer) => [answer.status, answer.body.error])).toEqual([[400, 'BadRequestError']]);
  });

  it.each(['ZZ\r\n', '2\r\n{"\r\nZZ\r\n'])(
    'sends no second answer if an invalid chunk follows an early answer: %j',
    async (rest) => {
      const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`;
      expect(await raw(chunked + rest)).toHaveLength(1);
      const late = await gateway.rawInSteps(chunked, /UnauthorizedError/, rest);
      expect(late.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    },
  );

  it('answers and logs 400 if the client ends its side within a body, and calls no service', async () => {
    const received = await gateway.raw(`${post}Authorization: Bearer ${token}\r\nContent-Length: 10\r\n\r\n{`, true);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(gateway.services.callsOf('create-agent')).toHaveLength(0);
    await eventually(() => gateway.logged.find((line) => line.route === 'create-agent' && line.status === 400));
  });

  it('answers complete pipelined requests before the 400 for malformed bytes after them', async () => {
    const head = `Host: a\r\nAuthorization: Bearer ${token}\r\n`;
    const create = `POST /v1/agents HTTP/1.1\r\n${head}Content-Length: ${newAgent.length}\r\n\r\n${newAgent}`;
    const answers = await raw(`${create}GET /v1/agents HTTP/1.1\r\n${head}\r\nhello\r\n\r\n`);
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [201, undefined],
      [200, undefined],
      [400, 'BadRequestError'],
    ]);
    expect(answers.at(-1)?.headers).toMatch(/^connection: close$/im);
  });

  it('sends X-Content-Type-Options: nosniff, and Strict-Transport-Security if PUBLIC_URL is https', async () => {
    const named = async (one: TestGateway, path: string) => {
      const { headers } = await one.request('GET', path, { token });
      return [headers['x-content-type-options'], headers['strict-transport-security']];
    };
    const behindTls = await TestGateway.start({ publicUrl: 'https://voice.example' });
    const without = await TestGateway.start({ publicUrl: 'http://voice.example' });
    try {
      for (const path of ['/v1/agents', '/v1/nothing', '/readyz', '/openapi.json', '/mcp']) {
        expect([path, ...(await named(gateway, path))]).toEqual([path, 'nosniff', undefined]);
        expect([path, ...(await named(without, path))]).toEqual([path, 'nosniff', undefined]);
        expect([path, ...(await named(behindTls, path))]).toEqual([path, 'nosniff', 'max-age=31536000']);
      }
    } finally {
      await behindTls.stop();
      await without.stop();
    }
  });

  it('CONNECT is 404 not_found', async () => {
    const [answer] = await raw('CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n');
    expect([answer?.status, answer?.body.error]).toEqual([404, 'not_found']);
  });

  it('OPTIONS * is 404 not_found', async () => {
    const [answer] = await raw('OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect([answer?.status, answer?.body.error, answer?.body.path]).toEqual([404, 'not_found', '*']);
  });

  it('accepts HTTP/1.0 without a Host header', async () => {
    const [answer] = await raw(`GET /v1/agents HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    expect(answer?.status).toBe(200);
  });

  it('serves a request target in absolute form', async () => {
    const head = 'GET http://a.example/v1/agents?limit=5 HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n';
    const [answer] = await raw(`${head}Authorization: Bearer ${token}\r\n\r\n`);
    expect(answer?.status).toBe(200);
    expect(gateway.services.callsOf('list-agents').at(-1)?.request.query).toEqual([{ name: 'limit', value: '5' }]);
  });

  it('answers Expect: 100-continue with 100 only after the key was verified', async () => {
    const expecting = `${post}Connection: close\r\nExpect: 100-continue\r\nContent-Length: ${newAgent.length}\r\n`;
    const refused = await gateway.raw(`${expecting}\r\n`);
    expect(refused).toMatch(/^HTTP\/1\.1 401 /);
    const welcome = await gateway.raw(`${expecting}Authorization: Bearer ${token}\r\n\r\n${newAgent}`);
    expect(welcome).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });

  it('ignores Expect: 100-continue in HTTP/1.0', async () => {
    const body = `Content-Length: ${newAgent.length}\r\n\r\n${newAgent}`;
    const head = `POST /v1/agents HTTP/1.0\r\nExpect: 100-continue\r\nAuthorization: Bearer ${token}\r\n`;
    expect(await gateway.raw(`${head}${body}`)).toMatch(/^HTTP\/1\.1 201 /);
  });

  it('answers two requests on one connection', async () => {
    const one = `${get}Host: a\r\nAuthorization: Bearer ${token}\r\n`;
    const answers = await raw(`${one}\r\n${one}Connection: close\r\n\r\n`);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
  });

  describe('slow requests (slow loris) are refused and their connections closed', () => {
    it('the timeouts are 10 s for headers and 60 s for a request, checked every 5 s', () => {
      expect(edgeServerOptions).toMatchObject({ connectionsCheckingInterval: 5_000 });
      const { headersTimeout, requestTimeout } = gateway.server;
      expect([headersTimeout, requestTimeout]).toEqual([10_000, 60_000]);
    });

    /** Sends a piece every 50 ms until the connection ends, and returns what was received. */
    const drip = (head: string, piece: string): Promise<string> => {
      const { port } = new URL(gateway.url);
      return new Promise((resolve) => {
        let answer = '';
        const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(head));
        const timer = setInterval(() => socket.write(piece), 50);
        socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
        // The server may have closed the connection already.
        socket.on('error', () => undefined);
        socket.on('close', () => {
          clearInterval(timer);
          resolve(answer);
        });
      });
    };

    it('a slow body or header is refused with 400 (401 without a key), while other requests are served', async () => {
      const asked = gateway.services.callsOf('create-agent').length;
      gateway.server.requestTimeout = 500;
      gateway.server.headersTimeout = 500;
      try {
        const authorized = `${post}Authorization: Bearer ${token}\r\n`;
        const slow = Promise.all([
          drip(`${authorized}Content-Length: 100000\r\n\r\n{"name":"`, 'x'),
          drip(`${authorized}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'),
          drip(`${post}Content-Length: 100000\r\n\r\n{"name":"`, 'x'),
          drip(`${get}Host: a\r\nX-Slow: `, 'x'),
        ]);
        expect((await gateway.request('GET', '/v1/agents', { token })).status).toBe(200);
        const answers = await slow;
        expect(answers.map((answer) => answer.split(' ')[1])).toEqual(['400', '400', '401', '400']);
        expect(answers.map((answer) => answer.match(/HTTP\/1\.1 /g)?.length)).toEqual([1, 1, 1, 1]);
        expect(gateway.services.callsOf('create-agent')).toHaveLength(asked);
      } finally {
        const { requestTimeout, headersTimeout } = edgeServerOptions;
        Object.assign(gateway.server, { requestTimeout, headersTimeout });
      }
    });
  });
});
