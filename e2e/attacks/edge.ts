import { operations } from '../fuzz/openapi';
import { unknownToken } from '../unknown-token';
import { refusedWithinASecond, until } from '../until';
import type { World } from './world';

/** Credentials, framing, JSON, paths and mass assignment at the gateway. */
export function edgeAttacks(world: () => World): void {
  describe('credentials', () => {
    const head = 'GET /v1/agents HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';

    it('two Authorization headers, both right, are 401', async () => {
      const line = `Authorization: Bearer ${world().customer.key}\r\n`;
      expect(await world().rawOutcome(`${head}${line}${line}\r\n`)).toEqual([401, 'UnauthorizedError']);
    });

    it.each([
      ['a bad checksum', () => world().customer.key.slice(0, -1) + (world().customer.key.endsWith('0') ? '1' : '0')],
      ['the other prefix', () => world().customer.key.replace('tai_', 'tgw_')],
      ['a token that was never issued', () => unknownToken(0)],
    ])('%s is 401', async (_what, token) => {
      const answer = await world().anonymous.as(token()).get('/v1/agents');
      expect([answer.status, answer.body.error]).toEqual([401, 'UnauthorizedError']);
    });

    it('an expired key is 401 from its end on', async () => {
      const key = await world().mint({ expires_at: new Date(Date.now() + 2_000).toISOString() });
      const api = world().anonymous.as(String(key.token));
      const answer = await until('the key is over', async () => {
        const began = Date.now();
        const use = await api.get('/v1/agents');
        if (use.status === 200 && began > Date.parse(String(key.expires_at)) + 1_000) throw new Error('outlived');
        return use.status === 200 ? undefined : use;
      });
      expect([answer.status, answer.body.error]).toEqual([401, 'UnauthorizedError']);
    });

    it('a revoked key is 401 within a second', async () => {
      const key = await world().mint({});
      const api = world().anonymous.as(String(key.token));
      expect((await api.get('/v1/agents')).status).toBe(200);
      expect((await world().customer.api.post(`/v1/api-keys/${String(key.key_id)}/revoke`)).status).toBe(200);
      await refusedWithinASecond(() => api.get('/v1/agents'), 'UnauthorizedError');
    });

    it('a session that another one created is 401 within a second after that one ended, and their key works', async () => {
      const { token } = await world().holding(['agents:read']);
      const openSession = async (bearer: string) => {
        const { status, body } = await world().anonymous.as(bearer).post('/v1/sessions');
        expect(status).toBe(201);
        return String(body.token);
      };
      const first = await openSession(token);
      const second = world().anonymous.as(await openSession(first));
      expect((await second.get('/v1/agents')).status).toBe(200);
      expect((await world().anonymous.as(first).delete('/v1/sessions')).status).toBe(200);
      await refusedWithinASecond(() => second.get('/v1/agents'), 'UnauthorizedError');
      expect((await world().anonymous.as(token).get('/v1/agents')).status).toBe(200);
    });

    it('a gateway token claims no jobs and reads no agents, a key does nothing of a gateway', async () => {
      const body = { organization_id: world().customer.organizationId, deployment_name: 'frankfurt-1' };
      const { body: token } = await world().customer.api.post('/v1/gateway-tokens', body);
      world().canaries.set('gateway token', String(token.token));
      const gateway = world().anonymous.as(String(token.token));
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
        const answer = await world().customer.api.request(method, path.replace(/\{\w+\}/g, 'call_x'), { body: {} });
        expect([path, answer.status, answer.body.error]).toEqual([path, 403, 'ForbiddenError']);
      }
    });

    it.each([
      ['a Cyrillic look-alike', '\u0430gents:read'],
      ['a pattern', 'agents:*'],
      ['everything', '*'],
      ['a bundle in capitals', 'ALL'],
    ])('%s is no scope: 400', async (_what, scope) => {
      expect(await world().mint({ scopes: [scope] })).toMatchObject({ status: 400, error: 'BadRequestError' });
    });

    it.each([
      'operator:read',
      'operator:*',
      'worker_jobs:claim',
      'calls:authorize',
      'component_credentials:lease',
      'provider_mutations:*',
    ])('a customer cannot mint %s, alone or next to its own', async (scope) => {
      expect(await world().mint({ scopes: [scope] })).toMatchObject({ status: 403, error: 'ForbiddenError' });
      expect(await world().mint({ scopes: ['agents:read', scope] })).toMatchObject({
        status: 201,
        scopes: ['agents:read'],
      });
    });
  });

  describe('framing', () => {
    const post = (headers: string, body: string): string =>
      `POST /v1/agents HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world().customer.key}\r\n${headers}\r\n\r\n${body}`;
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
      expect(await world().rawOutcome(text())).toEqual(expected);
    });

    it.each([
      ['gzip with a body', { 'content-encoding': 'gzip' }, '{}', 415],
      ['gzip without one', { 'content-encoding': 'gzip' }, undefined, 415],
      ['identity, gzip', { 'content-encoding': 'identity, gzip' }, '{}', 415],
      ['identity, gzip without a body', { 'content-encoding': 'identity, gzip' }, undefined, 415],
      ['identity', { 'content-encoding': 'identity' }, '{}', 400],
    ])('%s', async (_what, headers, body, status) => {
      expect((await world().outcome('/v1/agents', { method: 'POST', headers, body }))[0]).toBe(status);
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
  ])('%s in a body is 400', async (_what, body) => {
    expect(await world().outcome('/v1/agents', { method: 'POST', body })).toEqual([400, 'BadRequestError']);
  });

  it.each<[string, string, string, (number | string)[]]>([
    ['GET', '/v1/agents/..%2fapi-keys', 'a path that climbs', [404, 'NotFoundError']],
    ['GET', '/v1/agents/%ZZ', 'an escape that is none', [404, 'not_found']],
    ['GET', '/v1/agents/%00', 'an escaped NUL', [404, 'NotFoundError']],
    ['GET', '/v1/agents/%c0%af', 'an overlong escape', [404, 'not_found']],
    ['TRACE', '/v1/agents', 'TRACE', [405, 'method_not_allowed']],
    ['GET', '/v1//agents', 'a doubled slash', [404, 'not_found']],
  ])('%s %s (%s) is %j', async (method, path, _what, expected) => {
    expect(await world().rawOutcome(rawGet(method, path))).toEqual(expected);
  });

  const rawGet = (method: string, path: string): string =>
    `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${world().customer.key}\r\n\r\n`;

  it('organization_id twice in a query is 403 when either is foreign', async () => {
    const [own, foreign] = [world().customer.organizationId, world().platform.development.organization_id];
    for (const [first, second] of [
      [own, foreign],
      [foreign, own],
    ]) {
      const path = `/v1/agents?organization_id=${first}&organization_id=${second}`;
      expect(await world().outcome(path)).toEqual([403, 'ForbiddenError']);
    }
  });

  it('mass assignment sets nothing: not the id, the revision, the status, nor the organization', async () => {
    const home = { organization_id: world().customer.organizationId, project_id: world().customer.projectId };
    const forged = { agent_id: world().customer.agentId, status: 'inactive', created_at: '2001-01-01T00:00:00.000Z' };
    const created = await world().customer.api.post('/v1/agents', { ...home, mode: 'hosted', ...forged });
    if (created.status === 201) {
      expect(created.body).toMatchObject({ ...home, status: 'active' });
      expect(created.body.agent_id).not.toBe(world().customer.agentId);
      expect(created.body.created_at).not.toBe(forged.created_at);
    } else expect(created.status).toBe(400);
    const path = `/v1/agents/${world().customer.agentId}`;
    const before = (await world().customer.api.get(path)).body;
    const moved = await world().customer.api.patch(path, {
      organization_id: world().platform.development.organization_id,
    });
    expect([moved.status, moved.body.error]).toEqual([403, 'ForbiddenError']);
    const revised = await world().customer.api.patch(path, { revision: 99, published_version: 99 });
    expect([200, 400]).toContain(revised.status);
    const after = (await world().customer.api.get(path)).body;
    expect({ ...after, updated_at: '' }).toEqual({ ...before, updated_at: '' });
    const key = await world().mint({
      key_id: 'key_x',
      kind: 'operator',
      created_by: 'me',
      last_four: 'abcd',
      revoked_at: null,
    });
    if (key.status === 201) expect([key.key_id, key.created_by, key.last_four]).not.toContain('key_x');
    else expect(key.status).toBe(400);
    expect((await world().customer.api.post('/v1/organizations', { name: 'mine' })).status).toBe(403);
  });

  it('a slow loris is disconnected: incomplete headers and bodies get 400 with an error body, and other clients are served', async () => {
    expect((await world().customer.api.get('/v1/agents')).status).toBe(200);
    for (const answer of await world().slow) {
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ error: 'BadRequestError' });
    }
  });
}
