import { routes } from '@parley/contract';
import { newId } from '@parley/runtime';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';
import { blankWorkflow, workflowsOf } from './workflow-requests';

const webhook = {
  type: 'webhook',
  name: 'lookup',
  description: 'Looks up.',
  parameters: { type: 'object' },
  url: 'https://example.com/tool',
  method: 'POST',
};

describe('removing settings and records (docs/reference/agents.md#read-back)', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const refused = (pending: Promise<unknown>, status: number, expected: Json = {}) =>
    expect(pending).rejects.toMatchObject({ status, ...expected });

  const acts = async (subject: string): Promise<unknown[]> =>
    (await platform.rows(`select payload from outbox where stream = 'AUDIT' order by position`, []))
      .map(({ payload }) => JSON.parse(String(payload)) as Json)
      .filter((act) => act['subject'] === subject)
      .map((act) => act['action'] as unknown);

  const send = (route: Parameters<Customer['ask']>[0], params: Record<string, string>, body?: Json) =>
    customer.ask(route, { params, body }) as Promise<{ body: Json; etag: string }>;

  describe('null removes', () => {
    it.each<[string, Json]>([
      ['name', { name: 'x' }],
      ['language', { language: 'de' }],
      ['first_message', { first_message: 'x' }],
      ['system_prompt', { system_prompt: 'x' }],
      ['voice', { voice: 'v' }],
      ['translation', { translation: { enabled: false } }],
      ['webhook_url', { webhook_url: 'https://example.com/a' }],
      ['audio_stream_url', { audio_stream_url: 'wss://example.com/a' }],
    ])('the %s of an agent', async (field, set) => {
      const agentId = await customer.agent(set);
      expect((await customer.get(agentId)).body).toHaveProperty(field);
      expect((await customer.update(agentId, { [field]: null })).body).not.toHaveProperty(field);
    });

    it.each(['transcriber', 'model', 'voice'])(
      'the %s, and the agent uses the default of the platform again',
      async (name) => {
        const agentId = await customer.agent();
        const { body: before } = await customer.stack(agentId);
        const chosen = { provider: 'openai', model: 'no-such-model' };
        expect((await customer.save(agentId, { [name]: chosen })).body.selectable).toBe(false);
        expect((await customer.save(agentId, { [name]: null })).body[name]).toEqual(before[name]);
      },
    );

    it('languages, and the next publication has only the primary language', async () => {
      const agentId = await customer.agent({ language: 'de' });
      await customer.save(agentId, { languages: ['de', 'en'] });
      const { body } = await customer.save(agentId, { languages: null });
      expect(body.language_profiles).toMatchObject({
        languages: [],
        published_version: 2,
        published_languages: ['de'],
      });
    });

    it.each(['mode', 'status', 'metadata'])('%s cannot be removed: 400', async (field) => {
      await refused(customer.update(await customer.agent(), { [field]: null }), 400, {
        fields: { errors: [expect.objectContaining({ path: field, code: 'type' })] },
      });
    });
  });

  describe('DELETE /v1/agents/{agent_id}', () => {
    const remove = (agentId: string, of = customer) =>
      of.ask(routes.deleteAgent, { params: { agent_id: agentId } }) as Promise<{ body: Json }>;

    it('deletes the agent with its publications and workflow', async () => {
      const agentId = await customer.agent();
      await customer.save(agentId, { languages: ['en'] });
      const workflows = workflowsOf(customer);
      await workflows.begin(agentId, { draft: blankWorkflow });
      await workflows.publish(agentId);
      const { body: before } = await customer.get(agentId);
      expect((await remove(agentId)).body).toEqual(before);
      await refused(customer.get(agentId), 404);
      await refused(remove(agentId), 404);
      for (const table of ['agents', 'agent_publications', 'agent_workflows', 'agent_workflow_versions'])
        expect(await platform.rows(`select from ${table} where agent_id = $1`, [agentId])).toEqual([]);
      expect((await acts(agentId)).at(-1)).toBe('agent.deleted');
    });

    it('returns 409 during a call of the agent, and changes nothing', async () => {
      const agentId = await customer.agent();
      const { body } = await customer.get(agentId);
      platform.live.add(agentId);
      await refused(remove(agentId), 409, { code: 'ConflictError' });
      expect((await customer.get(agentId)).body).toEqual(body);
      platform.live.delete(agentId);
      await remove(agentId);
    });

    it('returns 403 for another organization, 404 for an unknown agent, 409 for a stale If-Match', async () => {
      const agentId = await customer.agent();
      await refused(remove(agentId, platform.customer()), 403);
      await refused(remove(newId('agt')), 404);
      const stale = customer.ask(routes.deleteAgent, { params: { agent_id: agentId }, ifMatch: '"7"' });
      await refused(stale, 409, { code: 'ConflictError' });
    });
  });

  describe('a workflow', () => {
    it('can be unpublished, read by version and restored as the next version, and its draft discarded', async () => {
      const agentId = await customer.agent();
      const at = { agent_id: agentId };
      const { begin, publish, read } = workflowsOf(customer);
      await begin(agentId, { draft: blankWorkflow, layout: { collapsed_groups: ['g'] } });
      await publish(agentId);
      const { body: version } = await send(routes.getWorkflowVersion, { ...at, version: '1' });
      expect(version).toMatchObject({
        agent_id: agentId,
        version: 1,
        definition: blankWorkflow,
        layout: { collapsed_groups: ['g'] },
        current: true,
      });
      const { body: unpublished } = await send(routes.unpublishWorkflow, at);
      expect(unpublished).toMatchObject({ workflow_state: 'none', published: null, version_count: 1 });
      expect(JSON.parse((await customer.forCall(agentId)).tuning?.json.toString() ?? '')).not.toHaveProperty(
        'workflow',
      );
      expect((await send(routes.getWorkflowVersion, { ...at, version: '1' })).body['current']).toBe(false);
      await begin(agentId);
      const restored = await send(routes.restoreWorkflowVersion, { ...at, version: '1' });
      expect(restored.body).toMatchObject({ version: 2, sha256: version['sha256'], definition: blankWorkflow });
      expect(JSON.parse((await customer.forCall(agentId)).tuning?.json.toString() ?? '').workflow.version).toBe(2);
      expect(await read(agentId)).toMatchObject({ workflow_state: 'draft', published: { version: 2 } });
      await send(routes.restoreWorkflowVersion, { ...at, version: '2' });
      await send(routes.deleteWorkflowDraft, at);
      expect(await read(agentId)).toMatchObject({ workflow_state: 'published', workflow: null, version_count: 2 });
      await refused(send(routes.deleteWorkflowDraft, at), 409);
      for (const none of ['3', '0', 'x', '99999999999'])
        await refused(send(routes.restoreWorkflowVersion, { ...at, version: none }), 404);
      expect(await acts(agentId)).toEqual(
        expect.arrayContaining(['workflow.unpublished', 'workflow.version_restored', 'workflow.draft_discarded']),
      );
    });

    it('cannot be restored if a tool that it uses was removed: 400', async () => {
      const agentId = await customer.agent({ tools: ['lookup'] });
      const { begin, publish } = workflowsOf(customer);
      const nodes = [...blankWorkflow.nodes, { id: 't', type: 'tool', tool: 'lookup' }];
      const edges = [
        { from: 'start', to: 't' },
        { from: 't', to: 'end' },
      ];
      await begin(agentId, { draft: { nodes, edges } });
      await publish(agentId);
      await send(routes.unpublishWorkflow, { agent_id: agentId });
      await customer.update(agentId, { tools: [] });
      await refused(send(routes.restoreWorkflowVersion, { agent_id: agentId, version: '1' }), 400);
    });
  });

  it('a deleted message template returns 404', async () => {
    const body = { organization_id: customer.organizationId, name: 't', texts: { en: 'Hello' } };
    const { body: created } = await customer.ask(routes.createMessageTemplate, { body });
    const at = { template_id: created.template_id };
    await refused(platform.customer().ask(routes.deleteMessageTemplate, { params: at }), 404);
    expect((await send(routes.deleteMessageTemplate, at)).body).toEqual(created);
    await refused(customer.ask(routes.getMessageTemplate, { params: at }), 404);
    expect((await acts(created.template_id)).at(-1)).toBe('message_template.deleted');
  });

  describe('the signing secret of a webhook tool', () => {
    const sealed = async (agentId: string): Promise<Json> =>
      JSON.parse(
        (await platform.rows('select tool_secrets from agents where agent_id = $1', [agentId]))[0]?.tool_secrets,
      );

    it('can be rotated; the old one also signs until the overlap ends, and a save keeps both', async () => {
      const agentId = await customer.agent({ tools: [webhook] });
      const before = (await sealed(agentId))['lookup'];
      const at = { agent_id: agentId, name: 'lookup' };
      const { body } = await send(routes.rotateAgentToolSecret, at, { overlap_hours: 1 });
      expect(body).toMatchObject({ agent_id: agentId, name: 'lookup', secret: expect.stringMatching(/^whsec_/) });
      const until = body['previous_until'];
      expect(Date.parse(until) - Date.parse((await customer.get(agentId)).body.updated_at)).toBe(3_600_000);
      await customer.update(agentId, { name: 'renamed' });
      const stored = (await sealed(agentId))['lookup'];
      expect(stored).toEqual({ current: expect.any(String), previous: [{ sealed: before, until }] });
      const context = {
        organizationId: customer.organizationId,
        purpose: 'tool-signing',
        recordId: `${agentId}/lookup`,
      };
      const opened = platform.dependencies.vault.open(Buffer.from(stored.current, 'base64'), context);
      expect(opened.toString()).toBe(body['secret']);
      const last = await send(routes.rotateAgentToolSecret, at, { overlap_hours: 0 });
      expect(last.body['previous_until']).toBeNull();
      expect((await sealed(agentId))['lookup'].previous).toEqual([]);
      expect((await acts(agentId)).filter((act) => act === 'agent.tool_secret_rotated')).toHaveLength(2);
    });

    it('a sixth active secret returns 409', async () => {
      const agentId = await customer.agent({ tools: [webhook] });
      const at = { agent_id: agentId, name: 'lookup' };
      await refused(send(routes.rotateAgentToolSecret, at, { project_id: newId('prj') }), 403);
      for (let count = 1; count < 5; count += 1) await send(routes.rotateAgentToolSecret, at, {});
      await refused(send(routes.rotateAgentToolSecret, at, {}), 409, { code: 'ConflictError' });
    });

    it.each([
      ['not defined', 'other'],
      ['not a webhook', 'legacy'],
    ])('rotating the secret of a tool that is %s returns 404', async (_title, name) => {
      const agentId = await customer.agent({ tools: ['legacy'] });
      await refused(send(routes.rotateAgentToolSecret, { agent_id: agentId, name }, {}), 404);
    });
  });
});
