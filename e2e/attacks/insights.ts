import { workerKey } from '../fuzz/resources';
import { briefCallee, Customer } from '../customer';
import { until } from '../until';
import { callTool } from './call-tool';
import { ExtractingModel } from './extracting-model';
import { refusal, type World } from './world';

const canary = 'extracted-canary-4711';

/** Results of extraction and simulations: what a key without their scopes learns, and what workers of others change. */
export function insightAttacks(world: () => World): void {
  let owner: Customer;
  let model: ExtractingModel;
  let callId: string;
  const schema = { type: 'object', properties: { day: { type: 'string', description: 'The agreed day' } } };
  const extractWith = (component_credential_id: unknown) => ({
    ...{ schema, model: { provider: 'openai_compatible', model: 'm', component_credential_id } },
  });

  beforeAll(async () => {
    model = await ExtractingModel.start(canary);
    owner = await Customer.create(world().platform);
    const { api, organizationId, agentId } = owner;
    const credential = {
      ...{ organization_id: organizationId, kind: 'llm', provider: 'openai_compatible', name: 'own' },
      ...{ secret: 'secret', base_url: model.url },
    };
    const { body } = await api.post('/v1/component-credentials', credential);
    const extraction = extractWith(body.component_credential_id);
    expect((await api.put(`/v1/agents/${agentId}/extraction`, extraction)).status).toBe(200);
    ({ call_id: callId } = await owner.call(briefCallee));
    await until('the extraction', async () => (await api.get(`/v1/calls/${callId}/extraction`)).status === 200);
    await until('its event', async () => {
      const { body } = await api.get(`/v1/events?types=call.extraction.ready&resource_id=${callId}`);
      return (body.data as unknown[]).length > 0;
    });
  });
  afterAll(async () => {
    await owner?.close();
    model?.stop();
  });

  const reads = (): string[] => [
    `/v1/calls/${callId}/extraction`,
    `/v1/calls/${callId}`,
    '/v1/calls?limit=100',
    `/v1/calls/${callId}/events?limit=100`,
    `/v1/events?limit=100&resource_id=${callId}`,
    '/v1/events?types=call.extraction.ready',
    '/v1/analytics/calls',
    `/v1/agents/${owner.agentId}/extraction`,
    `/v1/organizations/${owner.organizationId}/audit-log?limit=100`,
    `/v1/agent-endpoints/${owner.endpointId}/deliveries`,
  ];

  it.each([
    [['extractions:read', 'agents:read', 'calls:read', 'account:read', 'usage:read']],
    [['recordings:read', 'agents:read', 'calls:read', 'account:read', 'simulations:read']],
    [['agents:read', 'agents:write', 'calls:read', 'calls:write', 'campaigns:read', 'simulations:run']],
  ])('a key with %j finds no extracted value by a read, a list, the log or MCP', async (scopes) => {
    const { api, token } = await world().holding(scopes, owner.organizationId);
    expect(JSON.stringify((await owner.api.get(reads()[0] ?? '')).body)).toContain(canary);
    expect(await callTool(world(), owner.key, 'get_call_extraction', { call_id: callId })).toContain(canary);
    expect(refusal(await api.get(`/v1/calls/${callId}/extraction`))).toEqual([403, 'ForbiddenError']);
    const answers = await Promise.all(reads().map(async (path) => [path, (await api.get(path)).body]));
    answers.push(['MCP', await callTool(world(), token, 'get_call_extraction', { call_id: callId })]);
    expect(answers.filter(([, body]) => JSON.stringify(body).includes(canary)).map(([path]) => path)).toEqual([]);
  });

  it.each([
    ['call.extraction.ready', { events: ['call.extraction.ready'] }],
    ['sms.received', { events: ['call.created', 'sms.received'] }],
  ])(
    'a key without the scopes of %s adds it to no endpoint that exists, and moves no endpoint that gets it',
    async (_, body) => {
      const { api } = await world().holding(['agents:read', 'agents:write'], owner.organizationId);
      const path = `/v1/agent-endpoints/${owner.endpointId}`;
      const before = (await owner.api.get(path)).body;
      expect(refusal(await api.patch(path, body))).toEqual([403, 'ForbiddenError']);
      expect(refusal(await api.patch(path, { webhook_url: 'https://evil.example/' }))).toEqual([403, 'ForbiddenError']);
      expect((await owner.api.get(path)).body).toEqual(before);
    },
  );

  it('a key without recordings:read starts no rerun, which sends transcripts of earlier calls to a model', async () => {
    const { api } = await world().holding(['agents:read', 'agents:write'], owner.organizationId);
    const day = 86_400_000;
    const period = { from: new Date(Date.now() - day).toISOString(), to: new Date(Date.now() + day).toISOString() };
    const before = model.asked.length;
    const rerun = await api.post(`/v1/agents/${owner.agentId}/extraction/reruns`, period);
    expect(refusal(rerun)).toEqual([403, 'ForbiddenError']);
    expect(model.asked).toHaveLength(before);
  });

  describe('a run of simulations', () => {
    const scenarios = [
      {
        name: 'greets',
        callee: { type: 'script', turns: ['Hello?', 'Thank you.'] },
        assertions: [{ type: 'said', text: 'never-said-canary' }],
      },
    ];
    const suiteOf = async ({ api, organizationId, projectId, agentId }: Customer): Promise<string> => {
      const home = { organization_id: organizationId, project_id: projectId, agent_id: agentId };
      const { status, body } = await api.post('/v1/simulation-suites', { ...home, name: 'Attacked', scenarios });
      expect(status).toBe(201);
      return String(body.simulation_suite_id);
    };
    const runOf = async ({ api }: Customer, suite: string): Promise<string> => {
      const begun = await api.post(`/v1/simulation-suites/${suite}/runs`, { repetitions: 3 });
      expect([begun.status, begun.body]).toEqual([201, expect.anything()]);
      return String(begun.body.simulation_run_id);
    };
    const reportOf = ({ api }: Customer, run: string) =>
      until('the report', async () => {
        const { body } = await api.get(`/v1/simulation-runs/${run}`);
        return body.status === 'completed' ? body : undefined;
      });

    it('is claimed by no worker of another organization and by no key of a customer', async () => {
      const { operator, anonymous, stranger } = world();
      const foreign = anonymous.as(await workerKey(operator, stranger.organizationId));
      const claim = { capacity: 20, worker_id: 'attacker-0', wait_seconds: 5 };
      const waiting = foreign.post<{ jobs: unknown[] }>('/v1/simulation-jobs/claim', claim);
      const run = await runOf(owner, await suiteOf(owner));
      const claimed = await waiting;
      expect([claimed.status, claimed.body.jobs]).toEqual([200, []]);
      expect(
        refusal(await foreign.post('/v1/simulation-jobs/claim', { ...claim, organization_id: owner.organizationId })),
      ).toEqual([403, 'ForbiddenError']);
      expect(await reportOf(owner, run)).toMatchObject({ done: 3, failed: 3, passed: false });
      for (const path of ['claim', 'job_00000000000000000000000000/credentials'])
        expect(refusal(await owner.api.post(`/v1/simulation-jobs/${path}`, { epoch: 1 }))).toEqual([
          403,
          'ForbiddenError',
        ]);
    });

    it('is compared with none of another organization, and imports no call of one or without recordings:read', async () => {
      const { stranger } = world();
      const [mine, theirs] = [await suiteOf(stranger), await suiteOf(owner)];
      const [run, foreign] = [await runOf(stranger, mine), await runOf(owner, theirs)];
      await reportOf(stranger, run);
      await reportOf(owner, foreign);
      const against = (other: string) => stranger.api.get(`/v1/simulation-runs/${run}?against=${other}`);
      const [found, absent] = [await against(foreign), await against(`${foreign.slice(0, -4)}zzzz`)];
      expect([found.status, found.body]).toEqual([absent.status, absent.body]);
      expect(found.status).toBeGreaterThanOrEqual(400);
      const add = (call: string) => stranger.api.post(`/v1/simulation-suites/${mine}/scenarios`, { call_id: call });
      const [theirCall, noCall] = [await add(callId), await add(`${callId.slice(0, -4)}zzzz`)];
      expect([theirCall.status, theirCall.body]).toEqual([noCall.status, noCall.body]);
      const { api } = await world().holding(
        ['simulations:run', 'simulations:read', 'calls:read'],
        owner.organizationId,
      );
      const own = await api.post(`/v1/simulation-suites/${theirs}/scenarios`, { call_id: callId });
      expect(refusal(own)).toEqual([403, 'ForbiddenError']);
      for (const suite of [mine, theirs])
        expect(
          (
            (await (suite === mine ? stranger : owner).api.get(`/v1/simulation-suites/${suite}`)).body
              .scenarios as unknown[]
          ).length,
        ).toBe(1);
    });
  });
}
