import { routes } from '@parley/contract';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

describe('POST /v1/agent-previews (docs/reference/voice-stack.md#agent-preview)', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const preview = async (body: Json, of: Customer = customer): Promise<Json> =>
    (await of.ask(routes.previewAgent, { body: body })).body;

  const rows = (): Promise<unknown> =>
    platform.rows('select count(*)::int as agents from agents where organization_id = $1', [customer.organizationId]);

  it('returns the preview of an equal existing agent, and stores nothing', async () => {
    const before = await rows();
    const stack = { languages: ['en', 'de'], first_message: 'Hello', turn_taking: { max_call_seconds: 300 } };
    const previewed = await preview({ agent: { name: 'Reception', mode: 'hosted' }, voice_stack: stack });
    expect(previewed).toMatchObject({ publishes: true, blockers: [] });
    expect(await rows()).toEqual(before);

    const agentId = await customer.agent({ name: 'Reception', mode: 'hosted' });
    const there = await customer.preview(agentId, stack);
    expect(previewed.cost).toEqual(there.cost);
    expect(previewed.latency).toEqual(there.latency);
    expect(previewed.effective).toEqual(there.effective);
    expect(previewed.publication).toEqual(there.publication);
    expect(previewed.voice_stack).toMatchObject({ agent_id: '', turn_taking: { max_call_seconds: 300 } });
  });

  it('returns the codes of problems that would block the first save', async () => {
    const transcriber = { provider: 'imagined', model: 'none' };
    const { blockers, publishes, publishable } = await preview({
      agent: {},
      voice_stack: { languages: ['en'], transcriber },
    });
    expect([publishes, publishable]).toEqual([true, false]);
    expect((blockers as Json[]).length).toBeGreaterThan(0);
  });

  it.each<[string, Json, string]>([
    ['of the voice stack', { agent: {}, voice_stack: { first_message: 5 } }, 'voice_stack.first_message'],
    ['of the agent', { agent: { name: 5 }, voice_stack: {} }, 'agent.name'],
    ['of a violated rule', { agent: {}, voice_stack: { languages: ['en'], language: 'de' } }, 'voice_stack.language'],
    [
      'of a tool',
      { agent: {}, voice_stack: { tools: [{ type: 'builtin', name: 'transfer_call' }] } },
      'voice_stack.tools[0].config.destinations',
    ],
  ])('400 names the field %s', async (_, body, path) => {
    await expect(preview(body)).rejects.toMatchObject({
      status: 400,
      fields: { errors: expect.arrayContaining([expect.objectContaining({ path })]) as unknown },
    });
  });

  it('the response does not contain headers of tools', async () => {
    const tool = {
      type: 'webhook',
      name: 'look_up',
      description: 'Finds an order.',
      parameters: { type: 'object', properties: {} },
      url: 'https://tools.example.com/',
      method: 'POST',
      headers: { Authorization: 'Bearer of-a-test' },
    };
    const answer = await preview({ agent: {}, voice_stack: { languages: ['en'], tools: [tool] } });
    expect(JSON.stringify(answer)).not.toContain('of-a-test');
  });

  it('returns 400 for a credential of another organization', async () => {
    const other = platform.customer();
    const bindings = { component_credential_bindings: { llm: 'cred_00000000000000000000000000' } };
    await expect(preview({ agent: {}, voice_stack: { languages: ['en'], ...bindings } }, other)).rejects.toMatchObject({
      status: 400,
    });
  });
});
