import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { TestGateway } from './test-gateway';

/** The pages of docs/, which need no key. test:browser tests their content. */
describe('the guide (pages of docs/)', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'guide-'));
  let gateway: TestGateway;

  beforeAll(async () => {
    const files = {
      'index.html': 'home',
      'webhooks.html': 'webhooks',
      'webhooks.md': '# Webhooks',
      'reference/index.html': 'reference',
      'assets/app.1a2b.js': 'run()',
      'assets/chunks/@search.3c4d.js': 'search()',
      'code.css': '.c{}',
      'llms.txt': '# Parley',
      'hashmap.json': '{}',
      'secret.key': 'x',
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    gateway = await TestGateway.start({ guideFolder: folder });
  });
  afterAll(async () => {
    await gateway.stop();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['/guide/', /^text\/html/, 'home'],
    ['/guide/webhooks', /^text\/html/, 'webhooks'],
    ['/guide/webhooks.md', /^text\/markdown/, '# Webhooks'],
    ['/guide/reference/', /^text\/html/, 'reference'],
    ['/guide/assets/app.1a2b.js', /^text\/javascript/, 'run()'],
    ['/guide/assets/chunks/@search.3c4d.js', /^text\/javascript/, 'search()'],
    ['/guide/llms.txt', /^text\/plain/, '# Parley'],
    ['/llms.txt', /^text\/plain/, '# Parley'],
  ])('%s is served without a key, with a policy that forbids inline scripts', async (where, type, text) => {
    const answer = await gateway.request('GET', where);
    expect([answer.status, answer.text]).toEqual([200, text]);
    expect(answer.headers['content-type']).toMatch(type);
    const policy = String(answer.headers['content-security-policy']);
    expect(policy.split('; ')).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'"]));
    expect(policy).not.toMatch(/unsafe|http|\*/);
    const head = await gateway.request('HEAD', where);
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', answer.headers.etag]);
  });

  it('lets clients cache files with a hash in their name permanently, and revalidate pages', async () => {
    const cached = async (where: string): Promise<unknown> =>
      (await gateway.request('GET', where)).headers['cache-control'];
    expect(await cached('/guide/assets/app.1a2b.js')).toBe('public, max-age=31536000, immutable');
    for (const where of ['/guide/', '/guide/code.css']) expect(await cached(where)).toBe('public, no-cache');
  });

  it('redirects /guide to /guide/', async () => {
    const answer = await gateway.request('GET', '/guide');
    expect([answer.status, answer.headers.location]).toEqual([308, '/guide/']);
  });

  it.each(['/guide', '/guide/', '/guide/webhooks', '/llms.txt'])(
    'refuses other methods on %s with 405',
    async (where) => {
      const answer = await gateway.request('POST', where);
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
    },
  );

  it.each([
    '/guide/nothing',
    '/guide/secret.key',
    '/guide/hashmap.json',
    '/guide/webhooks/',
    '/guide/../guide/webhooks',
    '/guide/..%2fpackage.json',
    '/guide//webhooks',
    '/Guide/',
    '/guides',
  ])('%s is 404', async (where) => {
    const answer = await gateway.raw(`GET ${where} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('starts without built pages, and answers 404 for them', async () => {
    const without = await TestGateway.start({ guideFolder: path.join(folder, 'nothing') });
    try {
      for (const where of ['/guide', '/guide/', '/llms.txt'])
        expect((await without.request('GET', where)).status).toBe(404);
    } finally {
      await without.stop();
    }
  });
});
