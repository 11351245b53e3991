import { routes } from '@parley/contract';
import { customerCaller } from '@parley/testing';
import { AgentsPlatform, type Json } from './agents-platform';

describe('audit events of agents', () => {
  let platform: AgentsPlatform;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
  });
  afterAll(() => platform.stop());

  it('are appended for every change of configuration with the changed fields, the key, address and user agent, and no values', async () => {
    const customer = platform.customer();
    const { organizationId } = customer;
    const client = { address: '192.0.2.7', userAgent: 'curl/8' };
    const caller = customerCaller(organizationId);
    const own = { caller, client, organizationId };
    const params = { agent_id: await customer.agent({ system_prompt: 'SECRET' }) };
    const { agent_id } = params;
    const change = async (body: Json): Promise<void> =>
      void (await customer.ask(routes.updateAgent, { ...own, params, body }));
    await change({ system_prompt: 'another SECRET', webhook_url: 'https://a.example/SECRET' });
    await change({ webhook_url: 'https://a.example/SECRET' });
    await change({ status: 'inactive' });
    await customer.ask(routes.saveVoiceStack, { ...own, params, body: { languages: ['en'] } });
    await customer.ask(routes.saveVoiceStack, { ...own, params, body: { system_prompt: 'a third SECRET' } });
    await customer.ask(routes.restorePublication, { ...own, params: { ...params, version: '1' } });
    const variables = { base_revision: 3, config: { variables: [] } };
    await customer.ask(routes.replaceVariables, { ...own, params, body: variables });
    const draft = await customer.ask(routes.createWorkflowDraft, { ...own, params, body: {} });
    const { revision: base_revision, draft: definition, layout } = JSON.parse(draft.text) as Json;
    await customer.ask(routes.saveWorkflowDraft, {
      ...own,
      params,
      body: { base_revision, draft: definition, layout },
    });
    await customer.ask(routes.armWorkflowPhonePin, { ...own, params, body: {} });
    await customer.ask(routes.disarmWorkflowPhonePin, { ...own, params });
    await customer.ask(routes.publishWorkflow, { ...own, params, body: { base_revision: Number(base_revision) + 1 } });
    const text = { name: 't', texts: { en: 'SECRET' } };
    const made = await customer.ask(routes.createMessageTemplate, {
      ...own,
      body: { ...text, organization_id: organizationId },
    });
    const template = { template_id: String((JSON.parse(made.text) as Json).template_id) };
    await customer.ask(routes.updateMessageTemplate, { ...own, params: template, body: { name: 'u' } });
    const rows = await platform.rows(`select payload from outbox where stream = 'AUDIT' order by position`, []);
    const acts = rows
      .map(({ payload }) => JSON.parse(String(payload)) as Json)
      .filter((act) => act.organization_id === organizationId);
    expect(acts.map((act) => [act.action, act.subject, act.detail])).toEqual([
      ['agent.created', agent_id, { project_id: customer.projectId }],
      ['agent.updated', agent_id, { fields: ['system_prompt', 'webhook_url'] }],
      ['agent.updated', agent_id, { fields: ['status'] }],
      ['agent.voice_stack_saved', agent_id, { fields: ['languages'], published_version: 1 }],
      ['agent.voice_stack_saved', agent_id, { fields: ['system_prompt'], published_version: 2 }],
      ['agent.publication_restored', agent_id, { fields: ['system_prompt'], published_version: 3 }],
      ['agent.variables_replaced', agent_id, { fields: [], published_version: 4 }],
      ['workflow.draft_created', agent_id, {}],
      ['workflow.draft_saved', agent_id, {}],
      ['workflow.phone_pin_armed', agent_id, {}],
      ['workflow.phone_pin_disarmed', agent_id, {}],
      ['workflow.published', agent_id, {}],
      ['message_template.created', template.template_id, {}],
      ['message_template.updated', template.template_id, {}],
    ]);
    for (const act of acts.slice(1)) {
      expect(act).toMatchObject({ actor_key_id: caller.keyId, client_address: '192.0.2.7', user_agent: 'curl/8' });
    }
    expect(JSON.stringify(acts)).not.toContain('SECRET');
  });
});
