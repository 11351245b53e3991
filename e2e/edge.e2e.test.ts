import { createHmac } from 'node:crypto';
import net from 'node:net';
import { Api } from './api';
import { Customer } from './customer';
import { Platform } from './platform';
import { refusedWithinASecond } from './until';

/** Tests the error model of docs/reference/errors.md and the order of checks against the whole platform. */
describe('the edge', () => {
  let platform: Platform;
  let customer: Customer;
  let anonymous: Api;

  beforeAll(async () => {
    platform = await Platform.start();
    customer = await Customer.create(platform);
    anonymous = new Api(() => platform.baseUrls, undefined);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  it('not_found: an unknown route is reported with its path, before the key is checked', async () => {
    const { status, body, headers } = await anonymous.get('/v1/nothing');
    expect([status, body.error, body.path]).toEqual([404, 'not_found', '/v1/nothing']);
    expect(headers['x-request-id']).toEqual(expect.any(String));
  });

  it('method_not_allowed: lists the methods in the body and in Allow', async () => {
    const { status, body, headers } = await anonymous.request('DELETE', '/v1/calls');
    expect([status, body.error, body.allow]).toEqual([405, 'method_not_allowed', expect.any(Array)]);
    expect(headers.allow?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });

  it.each([
    ['no key', undefined],
    ['not one of our tokens', 'secret'],
    ['a checksum that does not fit', `tai_${'a'.repeat(38)}`],
  ])('UnauthorizedError: %s', async (_what, key) => {
    const { status, body } = await anonymous.as(key).get('/v1/agents');
    expect([status, body.error]).toEqual([401, 'UnauthorizedError']);
  });

  it('ForbiddenError: a key without the scope is refused, and the error names the scope; another organization is refused', async () => {
    const { body: minted } = await customer.api.post('/v1/api-keys', {
      organization_id: customer.organizationId,
      name: 'reader',
      scopes: ['calls:read'],
    });
    const reader = anonymous.as(String(minted.token));
    const answer = await reader.get('/v1/agents');
    expect([answer.status, answer.body.error, answer.body.message]).toEqual([
      403,
      'ForbiddenError',
      'missing required scope: agents:read',
    ]);
    const foreign = await customer.api.get(`/v1/agents?organization_id=${platform.development.organization_id}`);
    expect([foreign.status, foreign.body.error]).toEqual([403, 'ForbiddenError']);
  });

  it('reading an agent of another organization is like reading one that does not exist; writes are refused', async () => {
    const stranger = await Customer.create(platform);
    const absent = await stranger.api.get(`/v1/agents/${customer.agentId.slice(0, -4)}0000`);
    const hidden = await stranger.api.get(`/v1/agents/${customer.agentId}`);
    expect([hidden.status, hidden.body]).toEqual([404, absent.body]);
    for (const path of [`/v1/agents/${customer.agentId}`, `/v1/agents/${customer.agentId}/voice-stack`]) {
      const write = await stranger.api.patch(path, path.endsWith('stack') ? { first_message: 'x' } : { name: 'x' });
      expect([write.status, write.body.error]).toEqual([403, 'ForbiddenError']);
    }
    await stranger.close();
  });

  it.each([
    ['not JSON', '{'],
    ['not an object', '[]'],
    ['a duplicate key', '{"name":"a","name":"b"}'],
    ['a __proto__ key', '{"__proto__":{}}'],
    ['too deep', `{"metadata":${'['.repeat(64)}${']'.repeat(64)}}`],
    ['far too deep', '['.repeat(40_000)],
    ['NUL in a string', '{"name":"a\\u0000"}'],
    ['a lone surrogate', '{"name":"\\ud800"}'],
    ['a number out of range', '{"name":1e999}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('%s is a 400 and writes nothing', async (_what, body) => {
    const before = await customer.api.get(`/v1/agents/${customer.agentId}`);
    const answer = await customer.api.request('PATCH', `/v1/agents/${customer.agentId}`, { raw: body });
    expect([answer.status, answer.body.error]).toEqual([400, 'BadRequestError']);
    expect((await customer.api.get(`/v1/agents/${customer.agentId}`)).body).toEqual(before.body);
  });

  describe('checks before those of the fields', () => {
    let owner: Customer;

    beforeAll(async () => {
      owner = await Customer.create(platform);
    });
    afterAll(() => owner?.close());

    const creations = (): Readonly<Record<string, [string, Record<string, unknown>, Record<string, unknown>]>> => {
      const workspace = { organization_id: owner.organizationId, project_id: owner.projectId };
      const url = 'http://127.0.0.1:9/hook';
      return {
        agent: [
          '/v1/agents',
          { ...workspace, mode: 'hosted', name: 'a', system_prompt: 'x', language: 'en' },
          { name: 5 },
        ],
        endpoint: [
          '/v1/agent-endpoints',
          { ...workspace, webhook_url: url, audio_stream_url: 'ws://127.0.0.1:9' },
          { name: 5 },
        ],
        number: [
          '/v1/numbers',
          { ...workspace, phone_number: '+15005550188', provider: 'simulator' },
          { provider: 'none' },
        ],
        key: [
          '/v1/api-keys',
          { ...workspace, project_id: undefined, name: 'k', scopes: ['agents:read'] },
          { scopes: 'all' },
        ],
        project: [`/v1/organizations/${owner.organizationId}/projects`, { name: 'p' }, { name: 5 }],
      };
    };

    it.each(['agent', 'endpoint', 'number', 'key', 'project'])(
      'a used Idempotency-Key is a 409 for another body, also one that is wrong; a new one is a 400 (%s)',
      async (what) => {
        const [path, body, failure] = creations()[what] ?? ['', {}, {}];
        const created = await owner.api.post(path, body, { 'idempotency-key': `${what}-1` });
        expect([created.status, created.headers['idempotent-replayed']]).toEqual([201, undefined]);
        const replayed = await owner.api.post(path, body, { 'idempotency-key': `${what}-1` });
        expect([replayed.status, replayed.headers['idempotent-replayed']]).toEqual([201, 'true']);
        expect(replayed.headers.etag).toBe(created.headers.etag);
        const used = await owner.api.post(path, { ...body, ...failure }, { 'idempotency-key': `${what}-1` });
        expect([used.status, used.body.error]).toEqual([409, 'ConflictError']);
        const fresh = await owner.api.post(path, { ...body, ...failure }, { 'idempotency-key': `${what}-2` });
        expect([fresh.status, fresh.body.error]).toEqual([400, 'BadRequestError']);
        const without = await owner.api.post(path, { ...body, ...failure });
        expect([without.status, without.body.error]).toEqual([400, 'BadRequestError']);
      },
    );

    it('a write by id checks whether the record exists before it checks the fields', async () => {
      const { body: number } = await owner.api.post('/v1/numbers', {
        organization_id: owner.organizationId,
        project_id: owner.projectId,
        phone_number: '+15005550189',
        provider: 'simulator',
      });
      const wrong = { inbound_agent_id: 5 };
      const found = await owner.api.patch(`/v1/numbers/${String(number.number_id)}`, wrong);
      expect([found.status, found.body.error]).toEqual([400, 'BadRequestError']);
      const absent = await owner.api.patch(`/v1/numbers/${String(number.number_id).slice(0, -4)}0000`, wrong);
      expect([absent.status, absent.body.error]).toEqual([404, 'NotFoundError']);
    });
  });

  it('a content encoding other than identity is 415', async () => {
    const answer = await customer.api.request('POST', '/v1/agents', {
      body: {},
      headers: { 'content-encoding': 'gzip' },
    });
    expect([answer.status, answer.body.error]).toEqual([415, 'UnsupportedMediaTypeError']);
  });

  it.each([
    ['exactly 1 MiB', 1_048_576, 400],
    ['one byte more', 1_048_577, 413],
  ])('PayloadTooLargeError: %s', async (_what, bytes, status) => {
    const answer = await customer.api.post('/v1/agents', { a: 'x'.repeat(bytes - '{"a":""}'.length) });
    expect(answer.status).toBe(status);
  });

  it.each([
    ['bad framing', 'GET /v1/agents HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['a missing Host', 'GET /v1/agents HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an oversized header', `GET /v1/agents HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['no HTTP at all', 'hello\r\n\r\n'],
  ])('%s is a 400 in the same JSON shape', async (_what, text) => {
    const answer = await raw(platform.baseUrls[0] ?? '', text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({ error: 'BadRequestError' });
  });

  it('a maintenance window refuses new work within a second, allows reads, and ends', async () => {
    const operator = anonymous.as(platform.development.operator_key);
    expect((await operator.put('/v1/maintenance', { active: true, retry_after_seconds: 7 })).status).toBe(200);
    const call = () => customer.api.post('/v1/calls', { agent_id: customer.agentId, to: '+15005550001' });
    const refused = await refusedWithinASecond(call, 'platform_maintenance');
    expect([refused.status, refused.body.error, refused.body.retry_after_seconds]).toEqual([
      503,
      'platform_maintenance',
      7,
    ]);
    expect(refused.headers['retry-after']).toBe('7');
    expect((await customer.api.get('/v1/agents')).status).toBe(200);
    const keyed = [{ agent_id: customer.agentId, to: '+15005550001' }, { 'idempotency-key': 'in-a-window' }] as const;
    const placed = async () =>
      (await customer.api.get<{ data: { call_id: string }[] }>('/v1/calls')).body.data.map(({ call_id }) => call_id);
    const before = await placed();
    expect((await customer.api.post('/v1/calls', ...keyed)).status).toBe(503);
    expect(await placed()).toEqual(before);
    expect((await operator.put('/v1/maintenance', { active: false })).status).toBe(200);
    // The request can be repeated: the idempotency key was not used before, and is used from now on.
    const [once, twice] = [
      await customer.api.persist((api) => api.post('/v1/calls', ...keyed)),
      await customer.api.persist((api) => api.post('/v1/calls', ...keyed)),
    ];
    expect([once.status, once.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect([twice.body.call_id, twice.headers['idempotent-replayed']]).toEqual([once.body.call_id, 'true']);
    const accepted = await customer.api.persist((api) =>
      api.post('/v1/calls', { agent_id: customer.agentId, to: '+15005550001' }),
    );
    expect(accepted.status).toBe(201);
  });

  it('a maintenance window does not affect reads, top-ups, queued calls, canceling, keys, limits, and an update that only sets an agent to inactive', async () => {
    const operator = anonymous.as(platform.development.operator_key);
    const { api, organizationId, projectId, agentId } = customer;
    const agent = { organization_id: organizationId, project_id: projectId, mode: 'hosted', language: 'en' };
    const { body: other } = await api.post('/v1/agents', agent);
    const later = {
      agent_id: agentId,
      to: '+15005550001',
      scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
    };
    const waiting = String((await api.post('/v1/calls', later)).body.call_id);
    const balance = async () => (await api.get('/v1/wallet')).body.balance as { amount_micros: number };
    const before = await balance();
    expect((await operator.put('/v1/maintenance', { active: true })).status).toBe(200);
    try {
      await refusedWithinASecond(() => api.post('/v1/calls', later), 'platform_maintenance');
      for (const path of [
        '/v1/agents',
        `/v1/agents/${agentId}`,
        `/v1/agents/${agentId}/voice-stack`,
        '/v1/calls',
        `/v1/calls/${waiting}/events`,
        '/v1/numbers',
        '/v1/events',
        '/v1/wallet/ledger',
        `/v1/organizations/${organizationId}/policy`,
      ]) {
        expect([path, (await api.get(path)).status]).toEqual([path, 200]);
      }
      const toppedUp = await api.post('/v1/wallet/top-ups', { organization_id: organizationId, amount_micros: 700 });
      expect(toppedUp.status).toBe(201);
      const confirmed = await operator.post(`/v1/wallet/top-ups/${String(toppedUp.body.top_up_id)}/confirm`);
      expect(confirmed.status).toBe(200);
      expect((await balance()).amount_micros).toBe(before.amount_micros + 700);
      expect((await api.get(`/v1/calls/${waiting}`)).body.status).toBe('scheduled');
      expect((await api.post(`/v1/calls/${waiting}/cancel`)).body.status).toBe('canceled');
      const key = { organization_id: organizationId, name: 'in a window', scopes: ['calls:read'] };
      expect((await api.post('/v1/api-keys', key)).status).toBe(201);
      const controls = `/v1/organizations/${organizationId}/controls`;
      expect((await operator.put(controls, { live_calls: 1_000 })).status).toBe(200);
      expect((await operator.put(controls, {})).status).toBe(200);
      expect((await api.patch(`/v1/agents/${String(other.agent_id)}`, { status: 'inactive' })).status).toBe(200);
    } finally {
      expect((await operator.put('/v1/maintenance', { active: false })).status).toBe(200);
    }
    await customer.api.persist((one) => one.post('/v1/calls', { agent_id: agentId, to: '+15005550001' }));
  });

  it("a carrier's webhook is authenticated only by its signature, answered with TwiML and recorded", async () => {
    const { api, organizationId } = customer;
    const [accountSid, authToken] = ['AC-edge', 'the-token-of-the-account'];
    const account = {
      organization_id: organizationId,
      provider: 'twilio',
      account_sid: accountSid,
      auth_token: authToken,
    };
    expect((await api.post('/v1/carrier-credentials', account)).status).toBe(201);
    const url = `${platform.baseUrls[0] ?? ''}/v1/carriers/twilio/calls`;
    const form = { AccountSid: accountSid, CallSid: 'CA-edge', From: '+14155550111', To: '+14155550112' };
    const ring = async (token: string) => {
      const signed = Object.entries(form).sort().flat().join('');
      const signature = createHmac('sha1', token)
        .update(url + signed)
        .digest('base64');
      const headers = { 'x-twilio-signature': signature };
      const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) });
      return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
    };
    expect((await ring('another token')).status).toBe(401);
    for (let times = 0; times < 2; times += 1) {
      const { status, type, text } = await ring(authToken);
      expect([status, type]).toEqual([200, 'text/xml; charset=utf-8']);
      expect(text).toContain('<Reject');
    }
    const { body } = await api.get('/v1/calls?direction=inbound');
    expect(body.data).toMatchObject([{ to: form.To, status: 'failed', ended_reason: 'number_not_in_workspace' }]);
    expect(platform.log).not.toContain(authToken);
  });

  it('a revoked key is refused within a second', async () => {
    const { body: minted } = await customer.api.post('/v1/api-keys', {
      organization_id: customer.organizationId,
      name: 'soon gone',
      scopes: ['agents:read'],
    });
    const api = anonymous.as(String(minted.token));
    expect((await api.get('/v1/agents')).status).toBe(200);
    expect((await customer.api.post(`/v1/api-keys/${String(minted.key_id)}/revoke`)).status).toBe(200);
    const refused = await refusedWithinASecond(() => api.get('/v1/agents'), 'UnauthorizedError');
    expect(refused.status).toBe(401);
  });

  it('never prints a token, a webhook secret or a pepper', () => {
    expect(platform.log).not.toContain(customer.key);
    expect(platform.log).not.toContain(platform.development.admin_key);
    expect(platform.log).not.toMatch(/whsec_/);
  });

  it('has no background task whose SQL statement PostgreSQL rejects', () => {
    // SQLSTATE class 42 are errors in statements. A connection that times out on a busy machine is retried and does not count.
    expect(platform.log.split('\n').filter((line) => /"code":"42\w{3}"/.test(line))).toEqual([]);
  });

  it('reports if its port is in use, and starts nothing', async () => {
    const holder = net.createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as net.AddressInfo;
    await expect(Platform.start({ port })).rejects.toThrow(new RegExp(String(port)));
    await new Promise((resolve) => holder.close(resolve));
  });
});

async function raw(baseUrl: string, text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = net.connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('end', () => resolve(answer));
    // A server that closes a connection with unread input may reset it after its response.
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
  });
}
