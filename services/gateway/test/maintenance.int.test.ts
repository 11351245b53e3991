import { routes, type AnyRoute } from '@parley/contract';
import { declared, pathOf, requestOf } from './declared-requests';
import { organization } from './fake-services';
import { TestGateway } from './test-gateway';

const hostedGateway = { kind: 'hosted', organizationId: '', scopes: ['calls:authorize', 'gateways:report'] };

describe('maintenance', () => {
  let gateway: TestGateway;
  let operator: string;
  let gatewayToken: string;
  let hosted: string;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    gatewayToken = gateway.services.gatewayToken();
    hosted = gateway.services.token(hostedGateway);
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

  const tokenOf = ({ audience }: AnyRoute): string => {
    if (audience.includes('operator')) return operator;
    return audience.includes('gateway') ? gatewayToken : hosted;
  };
  const send = (route: AnyRoute, headers: Record<string, string> = {}) => {
    const request = requestOf(route);
    return gateway.request(
      route.method,
      tokenOf(route) === hosted ? pathOf(route) : `${pathOf(route)}?organization_id=${organization}`,
      {
        token: tokenOf(route),
        ...request,
        headers: { ...request.headers, ...headers },
      },
    );
  };

  describe('during maintenance', () => {
    beforeAll(() => gateway.maintenance(true, { retryAfterSeconds: 90, message: 'back at noon' }));
    afterAll(() => gateway.maintenance(false));

    const isNewWork = ([, { newWork }]: readonly [string, AnyRoute]): boolean => newWork !== false;

    it.each(declared.filter(isNewWork))(
      '%s is declared as new work and refused with 503 before any service is called',
      async (_name, route) => {
        const reached = () => gateway.services.asked.filter(({ rpc }) => rpc !== 'verifyToken').length;
        const before = reached();
        const answer = await send(route);
        expect([answer.status, answer.headers['retry-after']]).toEqual([503, '90']);
        expect(answer.body).toEqual({
          error: 'platform_maintenance',
          message: 'back at noon',
          retry_after_seconds: 90,
        });
        expect(reached()).toBe(before);
      },
    );

    it.each(declared.filter((each) => !isNewWork(each)))(
      '%s is not declared as new work and is served',
      async (_name, route) => {
        expect((await send(route)).status).toBe(route.answer.status);
      },
    );

    const creating = declared.filter(([, { creates, service }]) => creates && service !== undefined);
    it.each(creating)(
      '%s repeated with its Idempotency-Key is 503 if it is new work, else the first answer',
      async (_name, route) => {
        const replayed = { forwarded: { [route.id]: async () => ({ body: '{}', replayed: true }) } };
        await gateway.services.withOverrides(replayed, async () => {
          const { status, headers } = await send(route, { 'idempotency-key': 'accepted-before' });
          const expected = isNewWork([_name, route]) ? [503, undefined] : [route.answer.status, 'true'];
          expect([status, headers['idempotent-replayed']]).toEqual(expected);
        });
      },
    );

    // The declarations could be wrong; these routes are named in docs/reference/maintenance.md.
    it.each([
      routes.createCall,
      routes.createTestCall,
      routes.createMessage,
      routes.createTemplateMessage,
      routes.createChatSession,
      routes.takeChatTurn,
      routes.createSimulationRun,
      routes.createAgent,
      routes.deleteAgent,
      routes.createAgentEndpoint,
      routes.deleteAgentEndpoint,
      routes.saveAgentConfiguration,
      routes.saveVoiceStack,
      routes.replaceVariables,
      routes.saveWorkflowDraft,
      routes.publishWorkflow,
      routes.setAgentKnowledgeBases,
      routes.replaceExtraction,
      routes.launchCampaign,
      routes.resumeCampaign,
    ])('$method $path is refused with 503', async (route) => {
      expect((await send(route)).status).toBe(503);
    });

    it.each([
      routes.cancelCall,
      routes.transferCall,
      routes.endChatSession,
      routes.pauseCampaign,
      routes.cancelCampaign,
      routes.topUpWallet,
      routes.mintApiKey,
      routes.createComponentCredential,
      routes.previewVoiceStack,
      routes.getCall,
    ])('$method $path is served', async (route) => {
      expect((await send(route)).status).toBe(route.answer.status);
    });

    it.each([
      [{ status: 'inactive' }, 200],
      [{ status: 'inactive', organization_id: organization }, 200],
      [{ status: 'active' }, 503],
      [{ status: 'inactive', name: 'x' }, 503],
      [{ status: 'Inactive' }, 503],
      [{}, 503],
    ])('PATCH of an agent with %j is answered with %i', async (body, status) => {
      const answer = await gateway.request('PATCH', '/v1/agents/agt_x', { token: operator, body });
      expect(answer.status).toBe(status);
    });
  });

  it.each(declared)('without maintenance, %s is served', async (_name, route) => {
    expect((await send(route)).status).toBe(route.answer.status);
  });

  it.each([
    ['begins in an hour has no effect yet', { startsAt: new Date(Date.now() + 3_600_000).toISOString() }, 200],
    ['began an hour ago refuses new work', { startsAt: new Date(Date.now() - 3_600_000).toISOString() }, 503],
    ['ended an hour ago has no effect any more', { endsAt: new Date(Date.now() - 3_600_000).toISOString() }, 200],
    ['ends in an hour refuses new work', { endsAt: new Date(Date.now() + 3_600_000).toISOString() }, 503],
  ])('a maintenance window that %s', async (_when, times, status) => {
    await gateway.maintenance(true, times);
    const answer = await gateway.request('PATCH', '/v1/agents/agt_x', { token: operator, body: { name: 'x' } });
    expect(answer.status).toBe(status);
    await gateway.maintenance(false);
  });
});
