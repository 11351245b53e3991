import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './api';
import { briefCallee, Customer } from './customer';
import { Platform } from './platform';
import { RuleFollowingModel } from './rule-following-model';
import { until } from './until';

const schema = { type: 'object', properties: { day: { type: 'string', description: 'The agreed day' } } };
const found = {
  data: { day: 'Tuesday' },
  summary: 'A day was agreed.',
  sentiment: 'neutral',
  success: { achieved: true, reason: 'It was.' },
};
const modelMs = 500;

/** A chat completions server with a fixed delay that counts its requests. */
class SlowModel {
  asked = 0;
  answered = 0;
  delayMs = modelMs;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<SlowModel> {
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        model.asked += 1;
        setTimeout(() => {
          model.answered += 1;
          const call = { index: 0, id: 'c', function: { name: 'record_extraction', arguments: JSON.stringify(found) } };
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const choice of [
            { index: 0, delta: { tool_calls: [call] }, finish_reason: null },
            { index: 0, delta: {}, finish_reason: 'tool_calls' },
          ])
            response.write(`data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\n`);
          response.end('data: [DONE]\n\n');
        }, model.delayMs);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const model = new SlowModel(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    return model;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('extraction over HTTP', () => {
  let platform: Platform;
  let customer: Customer;
  let model: SlowModel;
  let own: { provider: string; model: string; component_credential_id: unknown };

  beforeAll(async () => {
    model = await SlowModel.start();
    platform = await Platform.start();
    customer = await Customer.create(platform);
    const { api, endpointId, organizationId } = customer;
    await api.patch(`/v1/agent-endpoints/${endpointId}`, {
      events: ['call.transcript.ready', 'call.extraction.ready', 'call.extraction.failed'],
    });
    const kept = await api.post('/v1/component-credentials', {
      ...{ organization_id: organizationId, kind: 'llm', provider: 'openai_compatible', name: 'own' },
      ...{ secret: 'secret', base_url: model.url },
    });
    expect(kept.status).toBe(201);
    own = { provider: 'openai_compatible', model: 'm', component_credential_id: kept.body.component_credential_id };
  });
  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
    await model?.stop();
  });

  const set = async (body: object): Promise<void> => {
    const answer = await customer.api.put(`/v1/agents/${customer.agentId}/extraction`, body);
    expect(answer.status).toBe(200);
  };
  const extractionOf = (callId: string): Promise<Answer> =>
    until('an extraction', async () => {
      const answer = await customer.api.persist((api) => api.get(`/v1/calls/${callId}/extraction`));
      return answer.status === 200 ? answer : undefined;
    });

  it('is ready after the transcript and the 500 ms of its model, is published once, and can be read only with both scopes', async () => {
    await set({ schema, model: own });
    const { call_id: callId } = await customer.call(briefCallee);
    const { body } = await extractionOf(callId);
    expect(body).toMatchObject({
      ...{ status: 'ready', data: found.data, simulated: false },
      usage: { input_tokens: null },
    });
    const events = await until('both events', () => {
      const seen = customer.receiver.eventsOf(callId).filter(({ type }) => /transcript|extraction/.test(type));
      return seen.length >= 2 ? seen : undefined;
    });
    expect(events.map(({ type }) => type).sort()).toEqual(['call.extraction.ready', 'call.transcript.ready']);
    const at = (type: string) => Date.parse(String(events.find((event) => event.type === type)?.created_at));
    expect(at('call.extraction.ready') - at('call.transcript.ready')).toBeGreaterThanOrEqual(modelMs);
    const { api, organizationId } = customer;
    const keyWith = async (scopes: string[]) => {
      const { body: key } = await api.post('/v1/api-keys', { organization_id: organizationId, name: 'k', scopes });
      return api.as(String(key.token));
    };
    for (const scopes of [['extractions:read'], ['recordings:read']]) {
      const answer = await (await keyWith(scopes)).get(`/v1/calls/${callId}/extraction`);
      expect([answer.status, answer.body.error]).toEqual([403, 'ForbiddenError']);
    }
    const both = await keyWith(['extractions:read', 'recordings:read']);
    expect((await both.get(`/v1/calls/${callId}/extraction`)).status).toBe(200);
  });

  it('by fixed rules is marked on the call as simulated', async () => {
    await set({ schema, model: { provider: 'simulator', model: 'rules' } });
    const { call_id: callId } = await customer.call(briefCallee);
    expect((await extractionOf(callId)).body).toMatchObject({ status: 'ready', simulated: true });
    const call = await customer.readCall(callId);
    expect(call.components_simulated).toContain('extraction');
  });

  it('is recorded once when its process is killed while the model thinks', async () => {
    model.delayMs = 3_000;
    await set({ schema, model: own });
    const before = model.asked;
    const { call_id: callId } = await customer.call(briefCallee);
    await until('the model is asked', () => model.asked > before);
    await platform.kill('insights');
    model.delayMs = modelMs;
    expect((await extractionOf(callId)).body).toMatchObject({ status: 'ready', data: found.data });
    const events = (await customer.api.get<{ data: { type: string }[] }>(`/v1/calls/${callId}/events?limit=100`)).body;
    expect(events.data.filter(({ type }) => /extraction/.test(type))).toHaveLength(1);
  });

  it('is refused in a maintenance window, and nothing changes', async () => {
    const { operator_key: key } = platform.development;
    const operator = customer.api.as(key);
    const path = `/v1/agents/${customer.agentId}/extraction`;
    const { body: before } = await customer.api.get(path);
    await operator.put('/v1/maintenance', { active: true, retry_after_seconds: 5 });
    const refused = await until('the window is obeyed', async () => {
      const answer = await customer.api.put(path, { schema });
      return answer.status === 503 ? answer : undefined;
    });
    expect(refused.body.error).toBe('platform_maintenance');
    expect((await customer.api.delete(path)).status).toBe(503);
    await operator.put('/v1/maintenance', { active: false });
    expect((await customer.api.get(path)).body.schema).toEqual(before.schema);
  });

  describe('simulations over HTTP', () => {
    let rules: RuleFollowingModel;
    let credential: string;
    let suite: string;

    const price = { type: 'said', text: '80 euros' };
    const scenarios = [
      {
        name: 'asks the price',
        callee: { type: 'script', turns: ['Hello?', 'What does a cleaning cost?', 'Thank you.'] },
        assertions: [price, { type: 'not_said', text: 'dollars' }, { type: 'ended_reason', is: 'callee_hung_up' }],
      },
    ];

    beforeAll(async () => {
      rules = await RuleFollowingModel.start();
      const { body } = await customer.api.post('/v1/component-credentials', {
        ...{ organization_id: customer.organizationId, kind: 'llm', provider: 'openai_compatible', name: 'rules' },
        ...{ secret: 'secret', base_url: rules.url },
      });
      credential = String(body.component_credential_id);
    });
    afterAll(() => rules?.stop());

    const prompted = async (text: string): Promise<void> => {
      const system_prompt = `When the caller says "cost", say "${text}".\nOtherwise say "How can I help you?".`;
      // The maintenance window of the previous test may still be in effect.
      const answer = await until('no maintenance', async () => {
        const { status } = await customer.api.patch(`/v1/agents/${customer.agentId}/voice-stack`, {
          ...{ system_prompt, languages: ['en'], model: { provider: 'openai_compatible', model: 'rules' } },
          component_credential_bindings: { llm: credential },
        });
        return status === 503 ? undefined : { status };
      });
      expect(answer.status).toBe(200);
    };
    const ran = async (body: object): Promise<Answer['body']> => {
      const begun = await customer.api.post(`/v1/simulation-suites/${suite}/runs`, body);
      expect(begun.status).toBe(201);
      const path = `/v1/simulation-runs/${String(begun.body.simulation_run_id)}`;
      return until('the report of a run', async () => {
        const { body: report } = await customer.api.get(path);
        return report.status === 'completed' ? report : undefined;
      });
    };

    it('find a regression that was planted in a prompt, name it, and do not find it in the version before', async () => {
      await prompted('A cleaning costs 80 euros.');
      const { organizationId: organization_id, projectId: project_id, agentId: agent_id, api } = customer;
      const made = await api.post('/v1/simulation-suites', {
        ...{ organization_id, project_id, agent_id, name: 'Prices', scenarios },
      });
      suite = String(made.body.simulation_suite_id);
      const before = await ran({ repetitions: 2 });
      expect(before).toMatchObject({ passed: true, done: 2, simulated_model: false });
      await prompted('A cleaning costs 90 dollars.');
      const after = await ran({ repetitions: 2 });
      expect(after).toMatchObject({ passed: false, failed: 2 });
      const against = String(before.simulation_run_id);
      const { body: diff } = await api.get(`/v1/simulation-runs/${String(after.simulation_run_id)}?against=${against}`);
      const regression = { scenario: 'asks the price', change: 'regression' };
      expect(diff.differences).toEqual([
        { ...regression, assertion: price, detail: 'was not said: 80 euros' },
        { ...regression, assertion: scenarios[0]?.assertions[1], detail: 'was said: A cleaning costs 90 dollars.' },
      ]);
      const version = Number(before.publication_version);
      expect(await ran({ target: { type: 'version', version } })).toMatchObject({ passed: true });
    });
  });
});
