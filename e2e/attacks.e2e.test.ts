import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import pg from 'pg';
import { request } from 'undici';
import { Api } from './api';
import { Customer } from './customer';
import { operations } from './fuzz/openapi';
import { Platform } from './platform';
import { unknownToken } from './unknown-token';
import { refusedWithinASecond, until } from './until';

/** Keeps whatever is exported to it. */
async function spanSink(): Promise<{ endpoint: string; text: () => string; close: () => void }> {
  let text = '';
  const server = http.createServer((incoming, response) => {
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    incoming.on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, text: () => text, close: () => server.close() };
}

describe('attacks', () => {
  let sink: Awaited<ReturnType<typeof spanSink>>;
  let platform: Platform;
  let customer: Customer;
  let anonymous: Api;
  let agentsBefore: string;
  /** Secrets that only whoever was given them may ever see. */
  const canaries = new Map<string, string>();
  /** Every refusal's text. */
  const refusals: string[] = [];
  let slow: Promise<string[]>;

  beforeAll(async () => {
    sink = await spanSink();
    const timeout = { REQUEST_TIMEOUT_SECONDS: '10' };
    platform = await Platform.start({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: sink.endpoint, LOG_LEVEL: 'debug', ...timeout },
    });
    customer = await Customer.create(platform);
    const post = `POST /v1/agents HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${customer.key}\r\nContent-Type: application/json\r\n`;
    slow = Promise.all([
      raw('GET /v1/agents HTTP/1.1\r\nHost: a\r\nX-Slow: '),
      raw(`${post}Content-Length: 1000\r\n\r\n{"name":"`),
      raw(`${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`),
    ]);
    anonymous = new Api(() => platform.baseUrls, undefined);
    agentsBefore = await agents();
    canaries.set('api key', customer.key);
    canaries.set('administrator', platform.development.admin_key);
    canaries.set('operator', platform.development.operator_key);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
    sink?.close();
  });

  const agents = async (): Promise<string> => JSON.stringify((await customer.api.get('/v1/agents?limit=100')).body);

  /** Writes text on a connection of its own and answers all that came back until the server closed. */
  const raw = (text: string | Buffer): Promise<string> => {
    const { hostname, port } = new URL(platform.baseUrls[0] ?? '');
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = net.connect(Number(port), hostname, () => socket.write(text));
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('end', () => socket.end());
      socket.on('close', () => resolve(answer));
      // A server that closes on what it did not read may reset the connection after its answer.
      socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    });
  };

  const rawOutcome = async (text: string | Buffer): Promise<[number, unknown]> => {
    const answer = await raw(text);
    refusals.push(answer);
    const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    return [Number(answer.split(' ')[1]), (JSON.parse(body) as { error: unknown }).error];
  };

  const mint = async (body: object): Promise<Record<string, unknown>> => {
    const answer = await customer.api.post('/v1/api-keys', {
      organization_id: customer.organizationId,
      name: 'k',
      scopes: ['agents:read'],
      ...body,
    });
    if (answer.status === 201) canaries.set(String(answer.body.key_id), String(answer.body.token));
    else refusals.push(JSON.stringify(answer.body));
    return { ...answer.body, status: answer.status };
  };

  const outcome = async (path: string, options: { method?: string; body?: string | Buffer; headers?: object } = {}) => {
    const answer = await request(platform.baseUrls[0] + path, {
      method: (options.method ?? 'GET') as 'GET',
      headers: { authorization: `Bearer ${customer.key}`, ...options.headers },
      body: options.body,
    });
    const text = await answer.body.text();
    refusals.push(text);
    return [answer.statusCode, (JSON.parse(text) as { error?: string }).error];
  };

  describe('5 r1: credentials', () => {
    const head = 'GET /v1/agents HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';

    it('two Authorization headers, both right, are 401', async () => {
      const line = `Authorization: Bearer ${customer.key}\r\n`;
      expect(await rawOutcome(`${head}${line}${line}\r\n`)).toEqual([401, 'UnauthorizedError']);
    });

    it.each([
      ['a bad checksum', () => customer.key.slice(0, -1) + (customer.key.endsWith('0') ? '1' : '0')],
      ['the other prefix', () => customer.key.replace('tai_', 'tgw_')],
      ['a token that nobody was given', () => unknownToken(0)],
    ])('%s is 401', async (_what, token) => {
      const answer = await anonymous.as(token()).get('/v1/agents');
      expect([answer.status, answer.body.error]).toEqual([401, 'UnauthorizedError']);
    });

    it('an expired key is 401 from its end on', async () => {
      const key = await mint({ expires_at: new Date(Date.now() + 2_000).toISOString() });
      const api = anonymous.as(String(key.token));
      const answer = await until('the key is over', async () => {
        const began = Date.now();
        const use = await api.get('/v1/agents');
        if (use.status === 200 && began > Date.parse(String(key.expires_at)) + 1_000) throw new Error('outlived');
        return use.status === 200 ? undefined : use;
      });
      expect([answer.status, answer.body.error]).toEqual([401, 'UnauthorizedError']);
    });

    it('a revoked key is 401 within a second', async () => {
      const key = await mint({});
      const api = anonymous.as(String(key.token));
      expect((await api.get('/v1/agents')).status).toBe(200);
      expect((await customer.api.post(`/v1/api-keys/${String(key.key_id)}/revoke`)).status).toBe(200);
      await refusedWithinASecond(() => api.get('/v1/agents'), 'UnauthorizedError');
    });

    it('5 r9, r10: a gateway token claims no jobs and reads no agents, a key does nothing of a gateway', async () => {
      const body = { organization_id: customer.organizationId, deployment_name: 'frankfurt-1' };
      const { body: token } = await customer.api.post('/v1/gateway-tokens', body);
      canaries.set('gateway token', String(token.token));
      const gateway = anonymous.as(String(token.token));
      const claim = { kinds: ['call'], capacity: 1, worker_id: 'w', wait_seconds: 0 };
      for (const answer of [
        await gateway.post('/v1/worker-jobs/claim', claim),
        await gateway.get('/v1/agents'),
        await gateway.post('/v1/api-keys', { ...body, name: 'k', scopes: ['calls:authorize'] }),
      ]) {
        expect([answer.status, answer.body.error]).toEqual([403, 'ForbiddenError']);
      }
      const ofGateways = operations.filter(({ path }) => path.startsWith('/v1/gateway/'));
      for (const { method, path } of ofGateways) {
        const answer = await customer.api.request(method, path.replace(/\{\w+\}/g, 'call_x'), { body: {} });
        expect([path, answer.status, answer.body.error]).toEqual([path, 403, 'ForbiddenError']);
      }
    });

    it.each([
      ['a Cyrillic look-alike', '\u0430gents:read'],
      ['a pattern', 'agents:*'],
      ['everything', '*'],
      ['a bundle in capitals', 'ALL'],
    ])('5 r4: %s is no scope: 400', async (_what, scope) => {
      expect(await mint({ scopes: [scope] })).toMatchObject({ status: 400, error: 'BadRequestError' });
    });

    it.each([
      'operator:read',
      'operator:*',
      'worker_jobs:claim',
      'calls:authorize',
      'component_credentials:lease',
      'provider_mutations:*',
    ])('5 r5, r11: a customer cannot mint %s, alone or beside its own', async (scope) => {
      expect(await mint({ scopes: [scope] })).toMatchObject({ status: 403, error: 'ForbiddenError' });
      expect(await mint({ scopes: ['agents:read', scope] })).toMatchObject({ status: 201, scopes: ['agents:read'] });
    });
  });

  describe('decisions 1: framing', () => {
    const post = (headers: string, body: string): string =>
      `POST /v1/agents HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${customer.key}\r\n${headers}\r\n\r\n${body}`;
    const refused = [400, 'BadRequestError'];

    it.each<[string, (number | string)[], () => string]>([
      ['a header of 20 KB', refused, () => `GET /v1/agents HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`],
      ['Expect: foo', refused, () => post('Expect: foo\r\nContent-Length: 2', '{}')],
      ['a missing Host', refused, () => 'GET /v1/agents HTTP/1.1\r\nConnection: close\r\n\r\n'],
      ['a length and chunks', refused, () => post('Content-Length: 1\r\nTransfer-Encoding: chunked', '0\r\n\r\n')],
      ['NUL in the path', refused, () => 'GET /v1/agents/\0 HTTP/1.1\r\nHost: a\r\n\r\n'],
      [
        'chunks of more than 1 MiB',
        [413, 'PayloadTooLargeError'],
        () => post('Connection: close\r\nTransfer-Encoding: chunked', `110000\r\n${'x'.repeat(0x110000)}\r\n0\r\n\r\n`),
      ],
    ])('%s is %j', async (_what, expected, text) => {
      expect(await rawOutcome(text())).toEqual(expected);
    });

    it.each([
      ['gzip with a body', { 'content-encoding': 'gzip' }, '{}', 415],
      ['gzip without one', { 'content-encoding': 'gzip' }, undefined, 415],
      ['identity, gzip', { 'content-encoding': 'identity, gzip' }, '{}', 415],
      ['identity, gzip without a body', { 'content-encoding': 'identity, gzip' }, undefined, 415],
      ['identity', { 'content-encoding': 'identity' }, '{}', 400],
    ])('4 r1: %s', async (_what, headers, body, status) => {
      expect((await outcome('/v1/agents', { method: 'POST', headers, body }))[0]).toBe(status);
    });
  });

  it.each([
    ['40,000 levels', '['.repeat(40_000)],
    ['40,000 levels of objects', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`],
    ['a key twice', '{"name":"a","name":"b"}'],
    ['__proto__', '{"__proto__":{"scopes":["all"]}}'],
    ['NUL', '{"name":"\\u0000"}'],
    ['a lone surrogate', '{"name":"\\udfff"}'],
    ['1e999', '{"name":1e999}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
  ])('4 r2: %s in a body is 400', async (_what, body) => {
    expect(await outcome('/v1/agents', { method: 'POST', body })).toEqual([400, 'BadRequestError']);
  });

  it.each<[string, string, string, (number | string)[]]>([
    ['GET', '/v1/agents/..%2fapi-keys', 'a path that climbs', [404, 'NotFoundError']],
    ['GET', '/v1/agents/%ZZ', 'an escape that is none', [404, 'not_found']],
    ['GET', '/v1/agents/%00', 'an escaped NUL', [404, 'NotFoundError']],
    ['GET', '/v1/agents/%c0%af', 'an overlong escape', [404, 'not_found']],
    ['TRACE', '/v1/agents', 'TRACE', [405, 'method_not_allowed']],
    ['GET', '/v1//agents', 'a doubled slash', [404, 'not_found']],
  ])('decisions 1: %s %s (%s) is %j', async (method, path, _what, expected) => {
    expect(await rawOutcome(rawGet(method, path))).toEqual(expected);
  });

  const rawGet = (method: string, path: string): string =>
    `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${customer.key}\r\n\r\n`;

  it('5 r12: organization_id twice in a query is 403 when either is foreign', async () => {
    const [own, foreign] = [customer.organizationId, platform.development.organization_id];
    for (const [first, second] of [
      [own, foreign],
      [foreign, own],
    ]) {
      const path = `/v1/agents?organization_id=${first}&organization_id=${second}`;
      expect(await outcome(path)).toEqual([403, 'ForbiddenError']);
    }
  });

  it('mass assignment sets nothing: not the id, the revision, the status, nor the organization', async () => {
    const home = { organization_id: customer.organizationId, project_id: customer.projectId };
    const forged = { agent_id: customer.agentId, status: 'inactive', created_at: '2001-01-01T00:00:00.000Z' };
    const created = await customer.api.post('/v1/agents', { ...home, mode: 'hosted', ...forged });
    if (created.status === 201) {
      expect(created.body).toMatchObject({ ...home, status: 'active' });
      expect(created.body.agent_id).not.toBe(customer.agentId);
      expect(created.body.created_at).not.toBe(forged.created_at);
    } else expect(created.status).toBe(400);
    const path = `/v1/agents/${customer.agentId}`;
    const before = (await customer.api.get(path)).body;
    const moved = await customer.api.patch(path, { organization_id: platform.development.organization_id });
    expect([moved.status, moved.body.error]).toEqual([403, 'ForbiddenError']);
    const revised = await customer.api.patch(path, { revision: 99, published_version: 99 });
    expect([200, 400]).toContain(revised.status);
    const after = (await customer.api.get(path)).body;
    expect({ ...after, updated_at: '' }).toEqual({ ...before, updated_at: '' });
    const key = await mint({
      key_id: 'key_x',
      kind: 'operator',
      created_by: 'me',
      last_four: 'abcd',
      revoked_at: null,
    });
    if (key.status === 201) expect([key.key_id, key.created_by, key.last_four]).not.toContain('key_x');
    else expect(key.status).toBe(400);
    expect((await customer.api.post('/v1/organizations', { name: 'mine' })).status).toBe(403);
  });

  it('a slow loris is shown out: headers and bodies that do not end are 400 in our shape, and others are served meanwhile', async () => {
    expect((await customer.api.get('/v1/agents')).status).toBe(200);
    for (const answer of await slow) {
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ error: 'BadRequestError' });
    }
  });

  it('5 r3, decisions 3: no planted secret stands in a log, a span, an event, an error or the database', async () => {
    const secret = 'canary-component-4711';
    canaries.set('component credential', secret);
    const body = { organization_id: customer.organizationId, kind: 'llm', provider: 'openai', name: 'ours', secret };
    expect((await customer.api.post('/v1/component-credentials', body, { 'idempotency-key': 'canary' })).status).toBe(
      201,
    );
    for (const wrong of [{ kind: 'none' }, { name: '' }, { organization_id: platform.development.organization_id }]) {
      refusals.push(JSON.stringify((await customer.api.post('/v1/component-credentials', { ...body, ...wrong })).body));
    }
    const auth_token = 'canary-carrier-4712';
    canaries.set('carrier token', auth_token);
    const account = { organization_id: customer.organizationId, provider: 'twilio', account_sid: 'AC1', auth_token };
    expect((await customer.api.post('/v1/carrier-credentials', account, { 'idempotency-key': 'c' })).status).toBe(201);
    for (const wrong of [{ provider: 'none' }, { account_sid: '' }, { auth_token: auth_token.repeat(1_000) }]) {
      const refused = await customer.api.post('/v1/carrier-credentials', { ...account, ...wrong });
      expect(refused.status).toBe(400);
      refusals.push(JSON.stringify(refused.body));
    }
    const webhookTool = {
      type: 'webhook',
      name: 'canary',
      description: 'Looks something up.',
      parameters: { type: 'object' },
      url: 'https://a.invalid/',
      method: 'POST',
    };
    const tooled = await customer.api.post('/v1/agents', {
      organization_id: customer.organizationId,
      project_id: customer.projectId,
      mode: 'hosted',
      tools: [webhookTool],
    });
    const [{ secret: toolSecret } = { secret: '' }] = tooled.body.tools as { secret: string }[];
    expect(toolSecret).toMatch(/^whsec_/);
    canaries.set('tool secret', toolSecret.replace('whsec_', ''));
    const endpoint = await customer.api.post('/v1/agent-endpoints', {
      organization_id: customer.organizationId,
      project_id: customer.projectId,
      webhook_url: customer.receiver.url,
      audio_stream_url: customer.receiver.url.replace('http:', 'ws:'),
    });
    canaries.set('webhook secret', String(endpoint.body.secret).replace('whsec_', ''));
    const call = await customer.call('+15005550006');
    await customer.finished(call.call_id);
    await customer.receiver.eventOf(call.call_id, 'call.completed');
    const reads = await Promise.all(
      ['api-keys', 'gateway-tokens', 'component-credentials', 'carrier-credentials', 'agent-endpoints', 'agents']
        .map((name) => `/v1/${name}?limit=100`)
        .concat(`/v1/organizations/${customer.organizationId}/audit-log?limit=100`)
        .map(async (path) => JSON.stringify((await customer.api.get(path)).body)),
    );
    const places: Record<string, string> = {
      logs: platform.processes.map(({ name, replica }) => logOf(name, replica)).join('\n') + platform.log,
      spans: sink.text(),
      events: JSON.stringify(customer.receiver.deliveries.map(({ raw: text }) => text)),
      errors: refusals.join('\n'),
      reads: reads.join('\n'),
      database: await dump(),
    };
    for (const [place, text] of Object.entries(places)) {
      expect([place, text.length > 0]).toEqual([place, true]);
      for (const [what, canary] of canaries) {
        const bytes = Buffer.from(canary);
        const forms = [canary, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
        expect([place, what, forms.some((form) => text.includes(form))]).toEqual([place, what, false]);
      }
    }
  });

  const logOf = (name: string, replica: number): string => {
    try {
      return platform.logOf(`${name}-${replica}`);
    } catch {
      return platform.logOf(name);
    }
  };

  /** Every row of every table, binary columns as hexadecimal. */
  const dump = async (): Promise<string> => {
    const admin = new pg.Client({ connectionString: platform.databaseUrl });
    await admin.connect();
    const { rows } = await admin.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of rows) {
      const table = await admin.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} as t`);
      texts.push(...table.rows.map(({ row }) => row));
    }
    await admin.end();
    return texts.join('\n');
  };

  it('after all of it every process that ran at the start runs, and no agent changed but those that a test made', async () => {
    expect((await fetch(`${platform.baseUrls[0]}/readyz`)).status).toBe(200);
    const before = (JSON.parse(agentsBefore) as { data: { agent_id: string }[] }).data;
    const after = (JSON.parse(await agents()) as { data: { agent_id: string }[] }).data;
    expect(after.map(({ agent_id }) => agent_id)).toEqual(
      expect.arrayContaining(before.map(({ agent_id }) => agent_id)),
    );
    expect(after.length - before.length).toBeLessThanOrEqual(2);
  });
});
