import { routes, sampleOf, type AnyRoute } from '@parley/contract';
import { Customer } from './customer';
import { Platform } from './platform';

type Body = Readonly<Record<string, unknown>>;

const scenario = {
  name: 'hello',
  callee: { type: 'script', turns: ['Hello?'] },
  assertions: [{ type: 'turns_at_most', turns: 50 }],
};

/** A key knows its organization: the bodies that create need not repeat it (docs/reference/requests.md#organization). */
describe('requests without an organization', () => {
  let platform: Platform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await Platform.shared();
    customer = await Customer.create(platform);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  const bodies: [AnyRoute, (project_id: string, agent_id: string) => Body][] = [
    [routes.createMessageTemplate, () => ({})],
    [routes.createConnection, (project_id) => ({ project_id })],
    [routes.createSimulationSuite, (project_id, agent_id) => ({ project_id, agent_id, scenarios: [scenario] })],
    [routes.createKnowledgeBase, (project_id) => ({ project_id })],
    [routes.createComponentCredential, () => ({ kind: 'llm', provider: 'openai', secret: 'sk-example' })],
    [routes.createCarrierCredential, () => ({})],
    [routes.mintGatewayToken, () => ({})],
    [routes.createNumber, (project_id) => ({ project_id, provider: 'simulator', phone_number: '+15005559876' })],
    [routes.createSipTrunk, () => ({ host: 'a.invalid', codecs: ['pcmu'] })],
  ];

  it.each(bodies.map(([route, own]) => [route.path, route, own] as const))(
    'is that of the key: %s',
    async (_path, route, own) => {
      const { organization_id: _left, ...sample } = sampleOf(route.body ?? Object);
      const answer = await customer.api.post(route.path, { ...sample, ...own(customer.projectId, customer.agentId) });
      expect([answer.status, answer.body]).toEqual([
        201,
        expect.objectContaining({ organization_id: customer.organizationId }),
      ]);
      const foreign = await customer.api.post(route.path, { ...sample, organization_id: 'org_x' });
      expect(foreign.status).toBe(403);
    },
  );
});
