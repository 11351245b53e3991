import { randomInt } from 'node:crypto';
import { notFound } from '@parley/errors';
import { documentOf, jsonOf } from '@parley/runtime';
import { TestGateway } from './test-gateway';

const token = `dmo_${'aB3-_'.repeat(8)}xyz`;
const closed = `dmo_${'z'.repeat(43)}`;
const chatPage = `/chat/${token}`;
const voicePage = `/demo/${token}`;
const session = `${chatPage}/sessions/chs_01h455vb4pex5vsknk084sn02q`;

/** The pages that visitors of a demo open with a link instead of a key, and what these pages request. */
describe('the public pages of demos', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await TestGateway.start({ mediaPublicUrl: 'wss://media.example.com/calls/' });
    gateway.services.overrides = {
      telephony: {
        checkDemo: async ({ token: named }) => {
          if (named === closed) throw notFound('demo');
          return {};
        },
        startDemoChat: async () => written({ chat_session_id: 'chs_1', status: 'open', first_message: 'Hello' }),
        takeDemoTurn: async ({ body }) => written({ agent_text: jsonOf<{ text: string }>(body).text }),
        endDemoChat: async () => written({ status: 'ended' }),
        startDemoCall: async () => written({ token: 'once' }),
      },
    };
  });
  afterAll(() => gateway.stop());

  const written = (body: object) => ({ document: documentOf('Sample', body), replayed: false });

  it('the chat page is served without a key, may be embedded, and may connect only to its own origin', async () => {
    const { status, headers, text } = await gateway.request('GET', chatPage);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
    expect(headers['permissions-policy']).toContain('microphone=()');
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      'frame-ancestors *',
      "base-uri 'none'",
    ]);
    expect(text.match(/(?:src|href)="[^"]+"/g)?.every((one) => /="\/(chat|docs)\//.test(one))).toBe(true);
    for (const [name, type] of [
      ['/chat/page.css', 'text/css'],
      ['/chat/page.js', 'text/javascript'],
    ] as const) {
      const file = await gateway.request('GET', name);
      expect([file.status, file.headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
    }
  });

  it('the page for calls is that of test calls, and may neither be embedded nor cached', async () => {
    const { status, headers, text } = await gateway.request('GET', voicePage);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(String(headers['content-security-policy'])).toContain("connect-src 'self' wss://media.example.com");
    expect(String(headers['content-security-policy'])).toContain("frame-ancestors 'none'");
    expect(headers['permissions-policy']).toContain('microphone=(self)');
    expect(text).toContain('data-media-url="wss://media.example.com/calls"');
    expect(text).not.toContain(token);
  });

  it.each([`/chat/${closed}`, `/demo/${closed}`])(
    '%s: answers 404 for a link with an unknown or closed token',
    async (path) => {
      expect(await gateway.request('GET', path)).toMatchObject({ status: 404, body: { error: 'NotFoundError' } });
    },
  );

  it.each([
    '/chat',
    '/chat/',
    '/demo',
    `${chatPage}/`,
    `${chatPage}x`,
    `/chat/${token.slice(0, -1)}`,
    `/chat/agt_01h455vb4pex5vsknk084sn02q`,
    '/chat/page.html',
    `/chat/%64mo_${token.slice(4)}`,
    `${voicePage}/sessions`,
    `${chatPage}/calls`,
    `${chatPage}/sessions/chs_1/turns`,
  ])('%s is 404 and is forwarded to no service', async (path) => {
    const before = gateway.services.asked.length;
    for (const method of ['GET', 'POST']) expect((await gateway.request(method, path)).status).toBe(404);
    expect(gateway.services.asked.length).toBe(before);
  });

  const json = { 'content-type': 'application/json; charset=utf-8' };
  const acts: [string, string, string, number, object][] = [
    ['starting a chat', `${chatPage}/sessions`, 'startDemoChat', 201, { first_message: 'Hello' }],
    ['a turn of a chat', `${session}/turns`, 'takeDemoTurn', 201, { agent_text: 'Hi' }],
    ['ending a chat', `${session}/end`, 'endDemoChat', 200, { status: 'ended' }],
    ['starting a call', `${voicePage}/calls`, 'startDemoCall', 201, { token: 'once' }],
  ];

  it.each(acts)('%s is forwarded to telephony without an API key', async (_what, path, rpc, status, body) => {
    const sent = rpc === 'takeDemoTurn' ? { text: 'Hi' } : {};
    const answer = await gateway.request('POST', path, { headers: json, body: sent });
    expect(answer).toMatchObject({ status, body });
    expect(answer.headers['cache-control']).toBe('no-store');
    const received = gateway.services.callsOf(rpc).at(-1);
    expect(received?.request).toMatchObject({ token });
    expect(received?.context.caller?.keyId ?? '').toBe('');
    expect((await gateway.request('GET', path)).status).toBe(405);
  });

  it.each(acts)(
    '%s is refused to pages of other origins: content types without preflight are 415, and no CORS headers are sent',
    async (_, path, rpc) => {
      const before = gateway.services.callsOf(rpc).length;
      for (const type of [undefined, 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
        const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
        const { status } = await gateway.request('POST', path, { headers, body: '{"text":"Hi"}' });
        expect([type, status]).toEqual([type, 415]);
      }
      const asked = { origin: 'https://other.example', 'access-control-request-method': 'POST' };
      const { headers } = await gateway.request('OPTIONS', path, { headers: asked });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(gateway.services.callsOf(rpc).length).toBe(before);
    },
  );

  it.each(acts.filter(([, , rpc]) => rpc !== 'takeDemoTurn'))(
    '%s has no fields: other bodies are 400 and reach no service, an empty one is accepted',
    async (_, path, rpc, status) => {
      const before = gateway.services.callsOf(rpc).length;
      for (const body of ['{"a":', '[]', 'null', '{"zzz":1}', '{"text":"Hi"}', '{}{}']) {
        const answer = await gateway.request('POST', path, { headers: json, body });
        expect([body, answer.status, answer.body.error]).toEqual([body, 400, 'BadRequestError']);
      }
      expect(gateway.services.callsOf(rpc).length).toBe(before);
      expect((await gateway.request('POST', path, { headers: json, body: '' })).status).toBe(status);
    },
  );

  it('forwards the address of the visitor and the kind, by which telephony limits conversations', async () => {
    await gateway.request('POST', `${chatPage}/sessions`, { headers: json, body: {} });
    expect(gateway.services.callsOf('startDemoChat').at(-1)?.request).toMatchObject({
      address: '127.0.0.1',
      kind: 'chat',
    });
  });

  it('during maintenance only pages and ending a chat are served; other requests are 503', async () => {
    await gateway.maintenance(true, { retryAfterSeconds: 90, message: 'back at noon' });
    try {
      for (const [, path, rpc] of acts) {
        const before = gateway.services.callsOf(rpc).length;
        const { status, body } = await gateway.request('POST', path, { headers: json, body: {} });
        if (rpc === 'endDemoChat') expect(status).toBe(200);
        else expect([status, body['error']]).toEqual([503, 'platform_maintenance']);
        expect(gateway.services.callsOf(rpc).length - before).toBe(rpc === 'endDemoChat' ? 1 : 0);
      }
      expect((await gateway.request('GET', chatPage)).status).toBe(200);
    } finally {
      await gateway.maintenance(false);
    }
  });

  it('masks the token of a link in all log lines', async () => {
    await gateway.request('GET', chatPage);
    for (const path of [`/chat/${closed}/nothing`, `//chat/${closed}`, `/x/${closed}`, `/%2fchat/${closed}`])
      await gateway.request('GET', path);
    expect(gateway.logged.filter(({ route }) => route === 'demo-page').length).toBeGreaterThan(0);
    const lines = JSON.stringify(gateway.logged);
    expect(lines).toContain('/chat/…');
    expect([token, closed].filter((one) => lines.includes(one.slice(4)))).toEqual([]);
  });

  it('answers 429 from the 121st request of one address in a minute on, without a look-up', async () => {
    // A minute of its own, which does not end during the test.
    const minute = new Date(Date.now() - randomInt(1e6, 1e9) * 60);
    const limited = await TestGateway.start({}, undefined, { now: () => minute, monotonicMs: () => 0 });
    const statuses: number[] = [];
    for (let n = 0; n < 122; n += 1) statuses.push((await limited.request('GET', chatPage)).status);
    expect(statuses.indexOf(429)).toBe(120);
    expect(statuses.at(-1)).toBe(429);
    expect(limited.services.callsOf('checkDemo')).toHaveLength(120);
    await limited.stop();
  });
});
