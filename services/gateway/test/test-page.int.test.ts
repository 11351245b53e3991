import { TestGateway } from './test-gateway';

const page = '/test/agt_01h455vb4pex5vsknk084sn02q';

/** The page for a test call, and the files that it loads. */
describe('the page for test calls', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await TestGateway.start({ mediaPublicUrl: 'wss://media.example.com/calls/' });
  });
  afterAll(() => gateway.stop());

  const served: [string, RegExp][] = [
    [page, /^text\/html/],
    ['/test/page.css', /^text\/css/],
    ['/test/page.js', /^text\/javascript/],
    ['/test/worklets.js', /^text\/javascript/],
  ];

  it.each(served)(
    '%s is served without a key, with a policy that allows connections only to the media port',
    async (name, type) => {
      const { status, headers } = await gateway.request('GET', name);
      expect([status, headers.etag]).toEqual([200, expect.stringMatching(/^"[^"]+"$/)]);
      expect(headers['content-type']).toMatch(type);
      expect(headers['permissions-policy']).toContain('microphone=(self)');
      expect(String(headers['content-security-policy']).split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self' wss://media.example.com",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]);
    },
  );

  it('contains the URL of the media port', async () => {
    expect((await gateway.request('GET', page)).text).toContain('data-media-url="wss://media.example.com/calls"');
  });

  it('may connect only to its own origin if no media URL is configured', async () => {
    const other = await TestGateway.start();
    try {
      const { headers, text } = await other.request('GET', page);
      expect(String(headers['content-security-policy'])).toContain("connect-src 'self';");
      expect(text).toContain('data-media-url=""');
    } finally {
      await other.stop();
    }
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is 405', async (method) => {
    for (const [name] of served) {
      const { status, headers } = await gateway.request(method, name);
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });

  it.each([
    '/test',
    '/test/',
    `${page}/`,
    '/test/agt_01h455vb4pex5vsknk084sn02',
    '/test/agt_01h455vb4pex5vsknk084sn02qq',
    '/test/agt_01h455vb4pex5vsknk084sn02u',
    '/test/page.html',
    '/test/%61gt_01h455vb4pex5vsknk084sn02q',
    '/test/..%2fpage.js',
    '/Test/page.js',
  ])('%s is 404', async (name) => {
    expect((await gateway.request('GET', name)).status).toBe(404);
  });
});
