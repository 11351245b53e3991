import { allRoutes, customerScopes, jsonSchemaOf, type AnyRoute } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { Principal } from '@parley/proto/auth';
import { newId } from '@parley/runtime';
import { declared, pathOf, requestOf } from './declared-requests';
import { foreignOrganization, foreignProject, organization, project } from './fake-services';
import { TestGateway, type Answer } from './test-gateway';

const namesProject = (body: new () => object): boolean => {
  const { project_id } = jsonSchemaOf(body).properties as Readonly<Record<string, { readOnly?: boolean }>>;
  return project_id !== undefined && project_id.readOnly !== true;
};

/** docs/reference/keys.md and docs/reference/errors.md: who may call which route, for every declared route. */
describe('scopes and organizations', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await TestGateway.start();
  });
  afterAll(() => gateway.stop());

  const send = (route: AnyRoute, token: string | undefined, query = ''): Promise<Answer> =>
    gateway.request(route.method, pathOf(route) + query, { token, ...requestOf(route) });

  const principal = (route: AnyRoute, scopes: string[]): Partial<Principal> => {
    const [kind = 'customer'] = route.audience;
    return { kind, scopes, organizationId: kind === 'customer' || kind === 'gateway' ? organization : '' };
  };

  const scopesOf = ({ scope, alsoScopes }: AnyRoute): string[] => [scope ?? '', ...alsoScopes];

  /** Every customer scope but one, without bundles, which could contain it. */
  const allBut = (scope: string | null): string[] => customerScopes.filter((other) => other !== scope);

  it.each(declared)('%s without a key is 401', async (_name, route) => {
    expect((await send(route, undefined)).status).toBe(401);
  });

  const scoped = declared.filter(([, { scope }]) => scope !== null);
  it.each(scoped)('%s without its scope is 403 and names the scope', async (_name, route) => {
    const answer = await send(route, gateway.services.token(principal(route, allBut(route.scope))));
    expect([answer.status, answer.body]).toEqual([
      403,
      { error: 'ForbiddenError', message: `missing required scope: ${route.scope}` },
    ]);
  });

  const several = declared.flatMap(([name, route]) => route.alsoScopes.map((scope) => [name, scope, route] as const));
  it.each(several)('%s without its additional scope %s is 403 and names the scope', async (_name, scope, route) => {
    const answer = await send(route, gateway.services.token(principal(route, allBut(scope))));
    expect([answer.status, answer.body]).toEqual([
      403,
      { error: 'ForbiddenError', message: `missing required scope: ${scope}` },
    ]);
  });

  it('the listed routes, and no other, require additional scopes', () => {
    expect(several.map(([name, scope]) => [name, scope]).sort()).toEqual([
      ['GET /v1/calls/{call_id}/extraction', 'recordings:read'],
      ['POST /v1/agents/{agent_id}/extraction/reruns', 'recordings:read'],
      ['POST /v1/gateway-tokens', 'agents:read'],
      ['POST /v1/gateway-tokens', 'calls:read'],
      ['POST /v1/simulation-suites/{simulation_suite_id}/scenarios', 'recordings:read'],
    ]);
  });

  it.each([
    ['POST /v1/calls/{call_id}/reviews/resolve', 'api_keys:write'],
    ['POST /v1/campaigns/{campaign_id}/reviews/{attempt_id}/resolve', 'api_keys:write'],
    ['POST /v1/suppressions/remove', 'api_keys:write'],
    ['POST /v1/suppressions', 'calls:write'],
    ['POST /v1/wallet/top-ups', 'wallet:write'],
    ['POST /v1/wallet/top-ups/{top_up_id}/confirm', 'operator:write'],
    ['PUT /v1/organizations/{organization_id}/policy', 'operator:write'],
    ['PUT /v1/organizations/{organization_id}/controls', 'operator:write'],
    ['PATCH /v1/organizations/{organization_id}', 'operator:write'],
  ])('%s requires the scope %s and is not an MCP tool', (name, scope) => {
    const route = declared.find(([one]) => one === name)?.[1];
    expect([route?.scope, route?.mcp]).toEqual([scope, false]);
  });

  it.each(declared)('%s is served with only its scopes', async (_name, route) => {
    // Callers of other kinds belong to no organization.
    const [kind = ''] = route.audience;
    const query = ['customer', 'gateway'].includes(kind) ? `?organization_id=${organization}` : '';
    const answer = await send(route, gateway.services.token(principal(route, scopesOf(route))), query);
    expect(answer.status).toBe(route.answer.status);
  });

  const operatorRoutes = declared.filter(([, route]) => !route.audience.includes('customer'));
  it.each(operatorRoutes)('%s is 403 for a customer, even if the key has the scope', async (_name, route) => {
    const answer = await send(route, gateway.services.token({ scopes: [route.scope ?? ''] }));
    expect([answer.status, answer.body.error]).toEqual([403, 'ForbiddenError']);
  });

  it('a gateway token is 403 on a route of customers', async () => {
    const token = gateway.services.token({ kind: 'gateway', scopes: ['agents:read'] });
    expect((await gateway.request('GET', '/v1/agents', { token })).status).toBe(403);
  });

  it('a hosted worker claims jobs without an organization, and is 403 if it names one', async () => {
    const token = gateway.services.token({ kind: 'hosted', organizationId: '', scopes: ['worker_jobs:claim'] });
    const body = { kinds: ['call'], capacity: 1, worker_id: 'w' };
    expect((await gateway.request('POST', '/v1/worker-jobs/claim', { token, body })).status).toBe(200);
    expect(gateway.services.callsOf('claim-worker-jobs').at(-1)?.request.organizationId).toBe('');
    const naming = { ...body, organization_id: organization };
    expect((await gateway.request('POST', '/v1/worker-jobs/claim', { token, body: naming })).status).toBe(403);
  });

  it.each([
    ['a key of that organization: 200', { kind: 'customer', organizationId: organization }, organization, 200],
    ['a key of another organization: 403', { kind: 'customer', organizationId: organization }, newId('org'), 403],
    ['a hosted worker: 403', { kind: 'hosted', organizationId: '' }, organization, 403],
  ] as const)('a claim that names an organization, by %s', async (_, caller, named, status) => {
    const token = gateway.services.token({ ...caller, scopes: ['worker_jobs:claim'] });
    const body = { kinds: ['call'], capacity: 1, worker_id: 'w' };
    const path = `/v1/worker-jobs/claim?organization_id=${named}`;
    expect((await gateway.request('POST', path, { token, body })).status).toBe(status);
  });

  const jobs = [
    ...['claim-worker-jobs', 'heartbeat-worker-jobs', 'report-worker-job', 'complete-worker-job'],
    ...['adopt-worker-job', 'put-recording-part', 'complete-recording', 'report-turns', 'send-live-audio'],
    ...['take-commands', 'end-command', 'request-hand-over', 'query-worker-knowledge', 'transfer-job'],
    ...['open-worker-credentials', 'begin-tool-call', 'end-tool-call', 'send-worker-message'],
  ];
  const simulationJobs = ['claim-simulation-jobs', 'open-simulation-credentials', 'report-simulation-job'];
  const artifacts = ['put-call-artifacts', 'put-gateway-recording-part', 'complete-gateway-recording'];
  const lines = ['route-inbound-call', 'get-call-configuration', 'report-gateway-call'];
  const ofGateways = ['calls:authorize', 'gateways:report', 'artifacts:upload', 'number-rules:read'];
  it.each<[string, Partial<Principal>, string[]]>([
    ['a gateway token', { kind: 'gateway', scopes: ofGateways }, [...lines, ...artifacts, 'list-number-rules']],
    [
      'a worker key',
      { kind: 'customer', scopes: ['worker_jobs:claim', 'worker_jobs:heartbeat'] },
      [...jobs, ...simulationJobs],
    ],
    ['a hosted worker', { kind: 'hosted', scopes: ['worker_jobs:claim', 'worker_jobs:heartbeat'] }, jobs],
    [
      'a hosted simulation runner',
      { kind: 'hosted_simulation', scopes: ['worker_jobs:claim', 'worker_jobs:heartbeat'] },
      [...jobs, ...simulationJobs],
    ],
    [
      'the hosted gateway',
      { kind: 'hosted', scopes: ['calls:authorize', 'gateways:report'] },
      [...lines, 'authorize-outbound-call'],
    ],
    ['a key with the scopes of a gateway', { kind: 'customer', scopes: ofGateways }, []],
    [
      'a gateway token with the scopes of a worker',
      { kind: 'gateway', scopes: ['worker_jobs:claim', 'worker_jobs:heartbeat'] },
      [],
    ],
  ])('%s may use exactly its own routes, and is 403 on all others', async (_what, credential, expected) => {
    const organizationId = credential.kind?.startsWith('hosted') === true ? '' : organization;
    const token = gateway.services.token({ ...credential, organizationId });
    const reached: string[] = [];
    for (const [, route] of declared) {
      const { status, body } = await send(route, token);
      if (route.scope === null) continue;
      if (status === 403) expect(body.error).toBe('ForbiddenError');
      else expect([route.id, status]).toEqual([route.id, route.answer.status]);
      if (status !== 403) reached.push(route.id);
    }
    expect(reached.sort()).toEqual([...expected].sort());
  });

  const customerRoutes = declared.filter(([, route]) => route.audience.includes('customer'));

  describe.each(customerRoutes)('%s', (_name, route) => {
    const scopes = scopesOf(route);

    it('accepts the own organization in the query', async () => {
      expect((await send(route, gateway.services.token({ scopes }), `?organization_id=${organization}`)).status).toBe(
        route.answer.status,
      );
    });

    it.each([
      ['foreign', `?organization_id=${foreignOrganization}`],
      ['own and foreign', `?organization_id=${organization}&organization_id=${foreignOrganization}`],
    ])('refuses a foreign organization in the query: %s', async (_how, query) => {
      const answer = await send(route, gateway.services.token({ scopes }), query);
      expect([answer.status, answer.body.error]).toEqual([403, 'ForbiddenError']);
    });

    // An upload of bytes contains no fields.
    const hasDocument = route.body !== undefined || route.upload === undefined;
    it(`${hasDocument ? 'refuses' : 'ignores'} a foreign organization in the body`, async () => {
      const { body, headers } = requestOf(route);
      const answer = await gateway.request(route.method, pathOf(route), {
        token: gateway.services.token({ scopes }),
        headers,
        body: { ...(body as object), organization_id: foreignOrganization },
      });
      if (hasDocument) expect([answer.status, answer.body.error]).toEqual([403, 'ForbiddenError']);
      else expect(answer.status).toBe(route.answer.status);
    });

    if (route.path.includes('{organization_id}')) {
      it('refuses a foreign organization in the path', async () => {
        const path = pathOf(route, { organization_id: foreignOrganization });
        const answer = await gateway.request(route.method, path, {
          token: gateway.services.token({ scopes }),
          ...requestOf(route),
        });
        expect([answer.status, answer.body.error]).toEqual([403, 'ForbiddenError']);
      });
    }
  });

  // Template messages answer 404 for every other project (docs/reference/variables-and-workflows.md#templates), which the tests of their service check.
  const repeating = customerRoutes.filter(
    ([, { id, method, byId, body, upload }]) =>
      id !== 'create-template-message' &&
      byId !== undefined &&
      (body === undefined ? method !== 'GET' && upload === undefined : namesProject(body)),
  );
  it.each(repeating)(
    '%s accepts an own project_id in the body, and is 403 with one of another organization',
    async (_n, route) => {
      const { services } = gateway;
      const token = services.token({ scopes: scopesOf(route) });
      const { body } = requestOf(route);
      const send = (project_id: string) =>
        gateway.request(route.method, pathOf(route), { token, body: { ...(body as object), project_id } });
      const before = services.asked.length;
      const foreign = await send(foreignProject);
      expect([foreign.status, foreign.body.error]).toEqual([403, 'ForbiddenError']);
      const asked = services.asked.slice(before);
      expect(asked.filter(({ rpc }) => !['verifyToken', 'resolveProject'].includes(rpc))).toEqual([]);
      expect((await send(project)).status).toBe(route.answer.status);
    },
  );

  it('an unknown project_id is 403, like a foreign one', async () => {
    const notFound = new AppError('NotFoundError', 'no such project');
    await gateway.services.withOverrides({ auth: { resolveProject: () => Promise.reject(notFound) } }, async () => {
      const token = gateway.services.token();
      const answer = await gateway.request('PATCH', '/v1/agents/agt_x', { token, body: { project_id: newId('prj') } });
      expect([answer.status, answer.body.error]).toEqual([403, 'ForbiddenError']);
    });
  });

  describe('an operator', () => {
    it.each([
      ['in the query', `/v1/agents/agt_x?organization_id=${foreignOrganization}`, foreignOrganization],
      ['nowhere, which reads from any organization', '/v1/agents/agt_x', ''],
    ])('may name any organization %s', async (_where, path, expected) => {
      const token = gateway.services.operatorToken();
      expect((await gateway.request('GET', path, { token })).status).toBe(200);
      expect(gateway.services.callsOf('get-agent').at(-1)?.request.organizationId).toBe(expected);
    });

    it('may name any organization in the body', async () => {
      const body = { organization_id: foreignOrganization, project_id: foreignProject, mode: 'hosted' };
      expect(
        (await gateway.request('POST', '/v1/agents', { token: gateway.services.operatorToken(), body })).status,
      ).toBe(201);
      expect(gateway.services.callsOf('create-agent').at(-1)?.request.organizationId).toBe(foreignOrganization);
    });

    it('is refused with 403 if a request names two different organizations', async () => {
      const answer = await gateway.request('POST', `/v1/agents?organization_id=${organization}`, {
        token: gateway.services.operatorToken(),
        body: { organization_id: foreignOrganization },
      });
      expect(answer.status).toBe(403);
    });

    it('lists agents of a project in the organization of that project', async () => {
      const token = gateway.services.operatorToken();
      expect((await gateway.request('GET', `/v1/agents?project_id=${foreignProject}`, { token })).status).toBe(200);
      expect(gateway.services.callsOf('list-agents').at(-1)?.request.organizationId).toBe(foreignOrganization);
    });
  });

  it('tests every declared route', () => expect(declared).toHaveLength(allRoutes.length));
});
