import { readFileSync } from 'node:fs';
import path from 'node:path';
import { TestGateway } from './test-gateway';

/** The documents and their viewer, which need no key. */
describe('API documents and their viewer', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await TestGateway.start();
  });
  afterAll(() => gateway.stop());

  const kept = (name: string): unknown =>
    JSON.parse(readFileSync(path.resolve(__dirname, '../../../docs', name), 'utf8'));

  const served: [string, RegExp][] = [
    ['/openapi.json', /^application\/json/],
    ['/asyncapi.json', /^application\/json/],
    ['/docs', /^text\/html/],
    ['/docs/', /^text\/html/],
    ['/docs/reference.css', /^text\/css/],
    ['/docs/reference.js', /^text\/javascript/],
    ['/docs/samples.js', /^text\/javascript/],
    ['/docs/pages.js', /^text\/javascript/],
    ['/docs/events', /^text\/html/],
    ['/docs/errors', /^text\/html/],
    ['/docs/swagger-ui.css', /^text\/css/],
    ['/docs/swagger-ui-bundle.js', /^text\/javascript/],
    ['/docs/favicon-32x32.png', /^image\/png$/],
  ];
  const paths = served.map(([one]) => one);

  it.each(['/openapi.json', '/asyncapi.json'])('%s equals the file in docs/', async (name) => {
    const answer = await gateway.request('GET', name);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(kept(name.slice(1)));
  });

  it.each(served)(
    '%s is served without a key, with its media type, a strong ETag and a policy without other origins',
    async (name, type) => {
      const answer = await gateway.request('GET', name);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(type);
      expect(answer.headers.etag).toMatch(/^"[^"]+"$/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['x-request-id']).toEqual(expect.any(String));
      const policy = String(answer.headers['content-security-policy']).split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "connect-src 'self'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
        ]),
      );
      expect(policy.join()).not.toMatch(/unsafe|http|\*/);
    },
  );

  it('/ redirects to /docs without a key, and answers 405 to POST', async () => {
    const answer = await gateway.request('GET', '/');
    expect([answer.status, answer.headers.location]).toEqual([302, '/docs']);
    expect((await gateway.request('POST', '/')).status).toBe(405);
  });

  it.each(paths)('HEAD %s answers with the headers of GET without a body', async (name) => {
    const [head, get] = [await gateway.request('HEAD', name), await gateway.request('GET', name)];
    expect([head.status, head.text]).toEqual([200, '']);
    for (const header of ['etag', 'content-type', 'content-length']) {
      expect(head.headers[header]).toBe(get.headers[header]);
    }
  });

  it.each([
    [(etag: string) => etag, 304],
    [(etag: string) => `"other", W/${etag}`, 304],
    [() => '*', 304],
    [() => '"other"', 200],
    [(etag: string) => etag.replaceAll('"', ''), 200],
  ])('If-None-Match, case %#: %s is answered with %i', async (held, status) => {
    const first = await gateway.request('GET', '/docs');
    const headers = { 'if-none-match': held(String(first.headers.etag)) };
    const again = await gateway.request('GET', '/docs', { headers });
    expect(again.status).toBe(status);
    expect(again.headers.etag).toBe(first.headers.etag);
    expect(again.text).toBe(status === 304 ? '' : first.text);
  });

  it.each(paths)('%s answers other methods with 405 and Allow', async (name) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await gateway.request(method, name);
      expect([answer.status, answer.body.error]).toEqual([405, 'method_not_allowed']);
      expect(answer.body.allow).toEqual(['GET', 'HEAD']);
      expect(answer.headers.allow).toBe('GET, HEAD');
    }
  });

  it.each([
    '/docs/index.html',
    '/docs/package.json',
    '/docs/swagger-ui-bundle.js.map',
    '/docs/swagger-ui-bundle.js/',
    '/docs/../package.json',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e/package.json',
    '/docs//',
    '/Docs',
    '/openapi.json/',
    '/constructor',
  ])('%s is 404 not_found with its path', async (name) => {
    const answer = await gateway.raw(`GET ${name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ error: 'not_found', path: name });
  });

  it('closes the connection after a GET whose announced body was not sent, so that later bytes are not read as a request', async () => {
    const announced = 'Host: x\r\nContent-Length: 30\r\nExpect: 100-continue\r\n\r\n';
    const answer = await gateway.raw(`GET /openapi.json HTTP/1.1\r\n${announced}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  });
});
