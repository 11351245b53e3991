import { createHash } from 'node:crypto';
import { canonicalJson, routes } from '@parley/contract';
import { newId } from '@parley/runtime';
import type { PublicCall } from '@parley/service';
import { eventually } from '@parley/testing';
import { declared, pathOf, requestOf } from './declared-requests';
import { foreignProject, organization, project, sampleBytes } from './fake-services';
import { TestGateway } from './test-gateway';

const resource = { body: '{ "agent_id" : "agt_1",  "null": null }', etag: '"5"' };

describe('answers of REST routes', () => {
  let gateway: TestGateway;
  let token: string;
  let operator: string;
  let hosted: string;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    token = gateway.services.token();
    hosted = gateway.services.token({
      kind: 'hosted',
      organizationId: '',
      scopes: ['calls:authorize', 'gateways:report'],
    });
    operator = gateway.services.operatorToken([
      'all',
      'operator:read',
      'operator:write',
      'worker_jobs:read',
      'worker_jobs:claim',
      'worker_jobs:heartbeat',
      'component_credentials:lease',
    ]);
  });
  afterAll(() => gateway.stop());
  afterEach(() => (gateway.services.overrides = {}));

  it.each(declared)(
    '%s answers with its declared status and media type, is not cached, and has an ETag if it reads one resource',
    async (_name, route) => {
      const line = route.audience.includes('gateway') ? gateway.services.gatewayToken() : hosted;
      const bearer = route.audience.includes('operator') ? operator : line;
      // The hosted gateway sends no organization_id.
      const path = bearer === hosted ? pathOf(route) : `${pathOf(route)}?organization_id=${organization}`;
      const answer = await gateway.request(route.method, path, { token: bearer, ...requestOf(route) });
      expect(answer.status).toBe(route.answer.status);
      expect(String(answer.headers['content-type']).split(';')[0]).toBe(route.answer.media);
      expect(answer.headers['cache-control']).toBe('no-store');
      if (route.answer.media === 'application/json') expect(() => JSON.parse(answer.text) as unknown).not.toThrow();
      if (route.etag && route.method === 'GET') expect(answer.headers.etag).toMatch(/^"[^"]+"$/);
    },
  );

  it.each(declared.filter(([, { answer }]) => answer.alsoJson))(
    '%s answers audio as base64 in JSON to a client that accepts only JSON',
    async (_name, route) => {
      const path = `${pathOf(route)}?organization_id=${organization}`;
      const asked = (accept: string) =>
        gateway.request(route.method, path, { token, ...requestOf(route), headers: { accept } });
      const [sound, json] = [await asked('application/json, audio/wav'), await asked('application/json')];
      expect(sound.headers['content-type']).toBe(route.answer.media);
      expect([json.status, json.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(json.body).toEqual({ audio_base64: sampleBytes.toString('base64'), media_type: route.answer.media });
    },
  );

  it.each(['/v1/agents/agt_1', '/v1/agents', '/v1/events'])(
    'HEAD %s answers with status and headers of GET without a body, and 401 without a key',
    async (path) => {
      const [get, head] = [
        await gateway.request('GET', path, { token }),
        await gateway.request('HEAD', path, { token }),
      ];
      expect([head.status, head.text]).toEqual([200, '']);
      for (const header of ['etag', 'content-type', 'content-length']) {
        expect([header, head.headers[header]]).toEqual([header, get.headers[header]]);
      }
      expect((await gateway.request('HEAD', path)).status).toBe(401);
    },
  );

  it('HEAD /v1/events ends immediately even with Accept: text/event-stream', async () => {
    const head = await gateway.request('HEAD', '/v1/events', { token, headers: { accept: 'text/event-stream' } });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it.each<[string, (etag: string) => string, number]>([
    ['the current ETag (304)', (etag) => etag, 304],
    ['a list with the current ETag as a weak one (304)', (etag) => `"other", W/${etag}`, 304],
    ['* (304)', () => '*', 304],
    ['another ETag (200)', () => '"other"', 200],
  ])('GET and HEAD of one resource with If-None-Match: %s', async (_, held, status) => {
    const first = await gateway.request('GET', '/v1/agents/agt_1', { token });
    const headers = { 'if-none-match': held(String(first.headers.etag)) };
    for (const method of ['GET', 'HEAD']) {
      const again = await gateway.request(method, '/v1/agents/agt_1', { token, headers });
      expect([again.status, again.headers.etag]).toEqual([status, first.headers.etag]);
      expect(again.text).toBe(status === 200 && method === 'GET' ? first.text : '');
    }
  });

  it('ignores If-None-Match on a write', async () => {
    const headers = { 'if-none-match': '*' };
    const answer = await gateway.request('PATCH', '/v1/agents/agt_1', { token, headers, body: { name: 'A' } });
    expect(answer.status).toBe(200);
  });

  it('forwards a document of a service byte for byte, with its ETag', async () => {
    gateway.services.overrides = { forwarded: { 'get-agent': async () => resource } };
    const answer = await gateway.request('GET', '/v1/agents/agt_1', { token });
    expect([answer.text, answer.headers.etag]).toEqual([resource.body, '"5"']);
  });

  it('forwards the address and the user agent of the client, each cut to 256 characters', async () => {
    const seen: unknown[] = [];
    const forwarded = {
      'get-agent': async ({ client }: PublicCall) => {
        seen.push(client);
        return resource;
      },
    };
    await gateway.services.withOverrides({ forwarded }, async () => {
      for (const agent of ['curl/8', 'u'.repeat(256), 'u'.repeat(257)]) {
        await gateway.request('GET', '/v1/agents/agt_1', { token, headers: { 'user-agent': agent } });
      }
    });
    const address = '127.0.0.1';
    expect(seen).toEqual([
      { address, userAgent: 'curl/8' },
      { address, userAgent: 'u'.repeat(256) },
      { address, userAgent: 'u'.repeat(256) },
    ]);
  });

  it('a computed ETag is equal for equal documents and changes with the document', async () => {
    const etags = await Promise.all(
      [1, 2].map(async () => (await gateway.request('GET', '/v1/maintenance', { token: operator })).headers.etag),
    );
    expect(etags[0]).toBe(etags[1]);
    await gateway.services.withOverrides(
      {
        forwarded: { 'get-maintenance': async () => ({ body: { active: true } }) },
      },
      async () => {
        expect((await gateway.request('GET', '/v1/maintenance', { token: operator })).headers.etag).not.toBe(etags[0]);
      },
    );
  });

  it('forwards If-Match unchanged', async () => {
    await gateway.request('PATCH', '/v1/agents/agt_1', { token, body: { name: 'x' }, headers: { 'if-match': '"5"' } });
    await gateway.request('PATCH', '/v1/agents/agt_1', { token, body: { name: 'x' } });
    expect(
      gateway.services
        .callsOf('update-agent')
        .slice(-2)
        .map((call) => call.request.ifMatch),
    ).toEqual(['"5"', '']);
  });

  describe('Idempotency-Key', () => {
    const creating = declared.filter(([, route]) => route.creates);

    it.each(creating)(
      '%s forwards the key to the owning service with the fingerprint of the canonical body',
      async (_name, route) => {
        const { body } = requestOf(route);
        await gateway.request(route.method, pathOf(route), {
          token: operator,
          body,
          headers: { 'idempotency-key': 'k-1' },
        });
        const name = route.rpc?.split('.')[1] ?? route.id;
        const idempotency = gateway.services.callsOf(name).at(-1)?.request.idempotency as {
          key: string;
          route: string;
          fingerprint: Buffer;
        };
        expect([idempotency.key, idempotency.route]).toEqual(['k-1', route.id]);
        if (!route.path.includes('{')) {
          const { secret: _secret, auth_token: _token, ...hashed } = (body ?? {}) as Record<string, unknown>;
          const expected = createHash('sha256').update(canonicalJson(hashed)).digest();
          expect(idempotency.fingerprint.equals(expected)).toBe(true);
        }
      },
    );

    it('the fingerprint does not change with a secret, but with any other field', async () => {
      const fingerprintOf = async (change: object): Promise<string> => {
        const body = { organization_id: organization, kind: 'llm', provider: 'openai', name: 'ours', secret: 'one' };
        const answer = await gateway.request('POST', '/v1/component-credentials', {
          token: operator,
          body: { ...body, ...change },
          headers: { 'idempotency-key': 'k-2' },
        });
        expect(answer.status).toBe(201);
        const { idempotency } = gateway.services.callsOf('create-component-credential').at(-1)?.request as {
          idempotency: { fingerprint: Buffer };
        };
        return idempotency.fingerprint.toString('hex');
      };
      const first = await fingerprintOf({});
      expect(await fingerprintOf({ secret: 'two' })).toBe(first);
      expect(await fingerprintOf({ name: 'theirs' })).not.toBe(first);
    });

    it('forwards the key with invalid fields, because the owning service checks the key first', async () => {
      const path = `/v1/organizations/${organization}/projects`;
      const headers = { 'idempotency-key': 'k-2' };
      const answer = await gateway.request('POST', path, { token: operator, body: { name: 5 }, headers });
      expect([answer.status, answer.body.error]).toEqual([400, 'BadRequestError']);
      const { request } = gateway.services.callsOf('create-project').at(-1) ?? {};
      expect(request).toMatchObject({ idempotency: { key: 'k-2' }, body: Buffer.from('{"name":5}') });
    });

    it('the fingerprint depends on values and path, but not on white space, order or escapes', async () => {
      const fingerprint = async (path: string, body: string): Promise<string> => {
        await gateway.request('POST', path, { token: operator, body, headers: { 'idempotency-key': 'k' } });
        const { idempotency } = gateway.services.callsOf('create-project').at(-1)?.request as {
          idempotency: { fingerprint: Buffer };
        };
        return idempotency.fingerprint.toString('hex');
      };
      const [one, other] = [newId('org'), newId('org')].map((id) => `/v1/organizations/${id}/projects`) as [
        string,
        string,
      ];
      const first = await fingerprint(one, '{"name":"a","x":1.0}');
      expect(await fingerprint(one, ' { "x" : 1, "name" : "\\u0061" }')).toBe(first);
      expect(await fingerprint(one, '{"name":"b","x":1}')).not.toBe(first);
      expect(await fingerprint(other, '{"name":"a","x":1}')).not.toBe(first);
    });

    it.each([
      ['x', 201],
      ['x'.repeat(255), 201],
      ['x'.repeat(256), 400],
      ['', 400],
      ['a b', 400],
      ['ü', 400],
    ])('key %j is answered with %i', async (key, status) => {
      const { body } = requestOf(routes.createAgent);
      const answer = await gateway.request('POST', '/v1/agents', { token, body, headers: { 'idempotency-key': key } });
      expect(answer.status).toBe(status);
    });

    it('two Idempotency-Key headers are 400', async () => {
      const { body } = requestOf(routes.createAgent);
      const answer = await gateway.request('POST', '/v1/agents', {
        token,
        body,
        headers: { 'idempotency-key': ['a', 'b'] },
      });
      expect(answer.status).toBe(400);
    });

    it('marks an answer that the owning service replayed with Idempotent-Replayed: true', async () => {
      gateway.services.overrides = {
        forwarded: {
          'create-agent': async () => ({ body: '{}', replayed: true }),
          'create-project': async () => ({ body: '{}', replayed: true }),
        },
      };
      const { body } = requestOf(routes.createAgent);
      const agent = await gateway.request('POST', '/v1/agents', { token, body });
      expect([agent.status, agent.headers['idempotent-replayed']]).toEqual([201, 'true']);
      const minted = await gateway.request('POST', '/v1/api-keys', { token, ...requestOf(routes.mintApiKey) });
      expect([minted.status, minted.headers['idempotent-replayed']]).toEqual([201, undefined]);
      const path = `/v1/organizations/${organization}/projects`;
      const project = await gateway.request('POST', path, { token, ...requestOf(routes.createProject) });
      expect([project.status, project.headers['idempotent-replayed']]).toEqual([201, 'true']);
    });
  });

  describe('unknown fields in a body', () => {
    const unknown = (...paths: string[]) => ({
      error: 'BadRequestError',
      errors: paths.map((path) => expect.objectContaining({ path, code: 'unknown_field' })),
    });

    it.each([
      ['POST /v1/api-keys', routes.mintApiKey],
      ['POST /v1/calls', routes.createCall],
    ])('are refused with 400 by the service that owns the route: %s', async (_what, route) => {
      const body = { ...(requestOf(route).body as object), colour: 'red' };
      const refused = await gateway.request('POST', route.path, { token, body });
      expect([refused.status, refused.body]).toEqual([400, expect.objectContaining(unknown('colour'))]);
    });

    it.each([
      ['POST', '/v1/calls/call_x/cancel'],
      ['DELETE', '/v1/agents/agent_x'],
      ['GET', '/v1/calls'],
    ])(
      '%s %s declares no body: any field but organization_id is refused with 400 before a service is called',
      async (method, path) => {
        const body = { organization_id: organization, reason: 'x', 'a, b\r\nX: 1': 2 };
        const refused = await gateway.request(method, path, { token, body });
        expect([refused.status, refused.body]).toEqual([
          400,
          expect.objectContaining(unknown('reason', 'a, b\r\nX: 1')),
        ]);
        const taken = await gateway.request(method, path, { token, body: { organization_id: organization } });
        expect(taken.status).toBe(200);
      },
    );

    it('project_id is accepted on a write by id without a body, but 403 if it belongs to another organization', async () => {
      const cancel = async (project_id: string) => {
        const body = { organization_id: organization, project_id };
        return (await gateway.request('POST', '/v1/calls/call_x/cancel', { token, body })).status;
      };
      expect([await cancel(project), await cancel(foreignProject)]).toEqual([200, 403]);
    });

    it('are reported only after scope and organization were checked (403)', async () => {
      const body = { organization_id: 'org_other', reason: 'x' };
      expect((await gateway.request('POST', '/v1/calls/call_x/cancel', { token, body })).status).toBe(403);
    });
  });

  it('forwards a claimed job with its call and configuration byte for byte', async () => {
    const job = '{"job_id":"job_1","epoch":9007199254740991,"call":{"a" :1},"runtime_configuration":{"b":null}}';
    const body = `{"jobs":[${job}]}`;
    gateway.services.overrides = { forwarded: { 'claim-worker-jobs': async () => ({ body }) } };
    const answer = await gateway.request('POST', '/v1/worker-jobs/claim', {
      token: operator,
      ...requestOf(routes.claimWorkerJobs),
    });
    expect(answer.text).toBe(body);
  });

  it('cancels the RPC that claims jobs if the worker closes the connection of its long poll', async () => {
    let asked: AbortSignal | undefined;
    gateway.services.overrides = {
      forwarded: {
        'claim-worker-jobs': ({ context: { signal } }) => {
          asked = signal;
          return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
        },
      },
    };
    const leave = new AbortController();
    const poll = fetch(`${gateway.url}/v1/worker-jobs/claim`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator}` },
      body: JSON.stringify({ kinds: ['call'], capacity: 1, worker_id: 'w', wait_seconds: 20 }),
      signal: leave.signal,
    });
    await eventually(() => asked);
    leave.abort();
    await expect(poll).rejects.toThrow();
    await eventually(() => (asked?.aborted === true ? true : undefined));
    await eventually(() => gateway.logged.find((line) => line.status === 499 && line.route === 'claim-worker-jobs'));
  });

  describe('health probes', () => {
    it('/livez answers 200', async () => {
      expect((await gateway.request('GET', '/livez')).status).toBe(200);
    });

    it.each(['/livez', '/readyz'])(
      '%s answers 405 method_not_allowed to other methods than GET and HEAD',
      async (path) => {
        expect((await gateway.request('HEAD', path)).status).not.toBe(405);
        const { status, body, headers } = await gateway.request('POST', path);
        expect([status, body.error, body.allow]).toEqual([405, 'method_not_allowed', ['GET', 'HEAD']]);
        expect(headers.allow).toBe('GET, HEAD');
      },
    );

    it('/readyz answers 200 as soon as the control state is trusted, and lists unavailable services as degraded', async () => {
      await eventually(async () => ((await gateway.request('GET', '/readyz')).status === 200 ? true : undefined));
      gateway.services.serving = false;
      const degraded = await eventually(async () => {
        const answer = await gateway.request('GET', '/readyz');
        const away = (answer.body.degraded ?? []) as string[];
        return away.length > 0 && !away.includes('control state') ? answer : undefined;
      });
      expect([degraded.status, degraded.body]).toEqual([
        200,
        {
          status: 'ready',
          degraded: ['auth', 'agents', 'voice-stack', 'knowledge', 'telephony', 'webhooks', 'insights'],
        },
      ]);
      gateway.services.serving = true;
      await eventually(async () => {
        const { body } = await gateway.request('GET', '/readyz');
        return JSON.stringify(body) === '{"status":"ready"}' ? true : undefined;
      });
    });
  });
});
