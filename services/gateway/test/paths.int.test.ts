import { allRoutes } from '@parley/contract';
import { eventually } from '@parley/testing';
import { TestGateway } from './test-gateway';

/** Defaults of Express that are turned off: answers to HEAD and OPTIONS, tolerance of slashes and capitals, removal of fragments, HTML errors. */
describe('paths and methods', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await TestGateway.start({ publicUrl: 'https://voice.example' });
    token = gateway.services.token();
  });
  afterAll(() => gateway.stop());

  const ask = (method: string, target: string, headers = ''): Promise<string> =>
    gateway.raw(`${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`);
  const known = (): string => `Authorization: Bearer ${token}\r\n`;

  it.each(['OPTIONS', 'TRACE', 'PUT', 'DELETE'])('%s on a path with GET and POST is 405', async (method) => {
    const answer = await ask(method, '/v1/agents', known());
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/^allow: GET, HEAD, POST\r$/im);
  });

  it('answers 405 with the declared methods in Allow on every path', async () => {
    const methods = new Map<string, string[]>();
    for (const { path, method } of allRoutes) methods.set(path, [...(methods.get(path) ?? []), method]);
    for (const [path, allowed] of methods) {
      const { status, headers, body } = await gateway.request('OPTIONS', path.replace(/\{\w+\}/g, 'x'));
      const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])].sort();
      expect([path, status, headers.allow, body.allow]).toEqual([path, 405, allow.join(', '), allow]);
    }
  });

  it.each([
    ['HEAD', '/livez', 200],
    ['HEAD', '/docs', 200],
    ['HEAD', '/openapi.json', 200],
    ['OPTIONS', '/livez', 405],
    ['OPTIONS', '/docs', 405],
    ['HEAD', '/mcp', 405],
    ['OPTIONS', '/mcp', 405],
    ['HEAD', '/v1/carriers/twilio/calls', 405],
    ['GET', '/livez/', 404],
    ['GET', '/Livez', 404],
    ['GET', '/docs/', 200],
    ['GET', '/Docs', 404],
    ['GET', '/docs/nothing', 404],
    ['POST', '/mcp/', 404],
    ['POST', '/v1/carriers/twilio/calls/', 404],
    ['POST', '/v1/carriers/unknown/calls', 404],
    ['GET', '/v1/agents/', 404],
    ['GET', '/v1/Agents', 404],
    ['GET', '/v1/agents/a/', 404],
    ['GET', '/v1//agents', 404],
    ['GET', '/v1/%61gents', 404],
    ['GET', '/v1/agents#a', 404],
    ['GET', '/v1/agents/a/voice-stack#', 404],
    ['GET', '/v1/agents/a%ff', 404],
    ['GET', 'http://a.example/v1/agents/', 404],
    ['GET', 'http://a.example/v1\\agents', 404],
    ['GET', 'http://a.example', 302],
    ['GET', 'http://a.example?a=b', 404],
    ['GET', 'http://a.example/v1/agents', 200],
    ['GET', '/v1/agents/a#b', 200],
  ])('%s %s is answered with %i', async (method, target, status) => {
    const answer = await ask(method, target, known());
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).not.toMatch(/^x-powered-by|<pre>/im);
  });

  it('treats # in a path or query as an ordinary character', async () => {
    await ask('GET', '/v1/agents/a#b?cursor=c#d', known());
    expect(gateway.services.callsOf('get-agent').at(-1)?.request.path).toEqual(['a#b']);
    await ask('GET', '/v1/agents?cursor=c#d', known());
    expect(gateway.services.callsOf('list-agents').at(-1)?.request.query).toEqual([{ name: 'cursor', value: 'c#d' }]);
  });

  it.each([
    ['/v1/carriers/twilio/calls?a=b#c', 'https://voice.example/v1/carriers/twilio/calls?a=b#c'],
    ['http://a/v1/carriers/twilio/calls?a=b', 'https://voice.example/v1/carriers/twilio/calls?a=b'],
  ])('forwards the public URL for signatures unchanged, even with # or an absolute target: %s', async (target, url) => {
    const form =
      'Content-Type: application/x-www-form-urlencoded\r\nX-Twilio-Signature: sssssssssssssssssssssssssss=\r\n';
    await ask('POST', target, form);
    expect(gateway.services.callsOf('receiveCarrierCall').at(-1)?.request.url).toBe(url);
  });

  it('logs of a path only the words that routes have, and no probes', async () => {
    await ask('GET', '/v1/nothing#a');
    await ask('GET', '/livez');
    await ask('OPTIONS', '/readyz');
    await ask('GET', 'http://a.example/v1/agents?b');
    await eventually(() => gateway.logged.find(({ path, status }) => path === '/v1/agents' && status === 401));
    const paths = gateway.logged.map(({ path }) => path);
    expect(paths).toContain('/v1/…');
    expect(paths.join()).not.toContain('nothing');
    expect(paths).not.toContain('/livez');
    expect(paths).not.toContain('/readyz');
  });

  it('closes the connection after a probe with another method than GET or HEAD', async () => {
    const head = 'OPTIONS /livez HTTP/1.1\r\nHost: a\r\n\r\n';
    const answer = await gateway.raw(head + head);
    expect(answer.match(/HTTP\/1\.1 405 /g)).toHaveLength(1);
    expect(answer).toMatch(/^connection: close\r$/im);
  });

  it.each(['/docs', '/openapi.json', '/readyz', '/v1/agents', '/v1/nothing', '/v1/carriers/twilio/calls', '/mcp'])(
    'answers once at %s if a chunk of the body is malformed, without an unhandled rejection',
    async (path) => {
      const unhandled: unknown[] = [];
      const note = (error: unknown): void => void unhandled.push(error);
      process.on('unhandledRejection', note);
      try {
        const head = `Host: a\r\n${known()}Transfer-Encoding: chunked\r\n\r\n`;
        for (const method of ['GET', 'POST']) {
          const answer = await gateway.raw(`${method} ${path} HTTP/1.1\r\n${head}ZZ\r\n`);
          expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
        }
        expect((await gateway.request('GET', '/v1/agents', { token })).status).toBe(200);
        expect(unhandled).toEqual([]);
      } finally {
        process.off('unhandledRejection', note);
      }
    },
  );
});
