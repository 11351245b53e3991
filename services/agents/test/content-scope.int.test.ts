import { routes } from '@parley/contract';
import { AppError } from '@parley/errors';
import { newId, type Caller } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

const code = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? `${error.status} ${error.message}` : String(error)),
  );
const missing = '403 missing required scope: recordings:read';
const text = { mode: 'external_text', webhook_url: 'https://text.example.com/' };
const audio = { mode: 'external_audio', audio_stream_url: 'wss://audio.example.com/' };

describe('a change of where the words or the sound of calls go needs recordings:read in addition to agents:write', () => {
  let platform: AgentsPlatform;
  let customer: Customer;
  let weak: { as: Caller };
  let strong: { as: Caller };

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
  });
  beforeEach(() => {
    customer = platform.customer();
    const { organizationId } = customer;
    weak = { as: customerCaller(organizationId, ['agents:read', 'agents:write']) };
    strong = { as: customerCaller(organizationId, ['agents:write', 'recordings:read']) };
  });
  afterAll(() => platform?.stop());

  const createAs = ({ as }: { as: Caller }, body: Json) => {
    const { organizationId: organization_id, projectId: project_id } = customer;
    return customer.ask(routes.createAgent, { body: { organization_id, project_id, mode: 'hosted', ...body } }, { as });
  };

  it.each<[string, Json, string]>([
    ['external_text with an address', text, missing],
    ['external_text without one', { mode: 'external_text' }, 'accepted'],
    ['external_audio with an address', audio, missing],
    ['external_audio with the endpoint of the project', { mode: 'external_audio' }, missing],
    ['hosted, whose addresses nothing is sent to', { ...text, ...audio, mode: 'hosted' }, 'accepted'],
  ])('at creation: %s', async (_, body, expected) => {
    expect(await code(createAs(weak, body))).toBe(expected);
    expect(await code(createAs(strong, body))).toBe('accepted');
  });

  it.each<[string, Json, Json, string]>([
    ['another address of text', text, { webhook_url: 'https://other.example.com/' }, missing],
    ['the same address of text', text, { ...text, name: 'n' }, 'accepted'],
    ['no address of text any more', text, { webhook_url: null }, 'accepted'],
    ['an address that the mode does not use', text, { audio_stream_url: 'wss://other.example.com/' }, 'accepted'],
    ['another address of audio', audio, { audio_stream_url: 'wss://other.example.com/' }, missing],
    ['the endpoint of the project in place of an address', audio, { audio_stream_url: null }, missing],
    ['an external mode with the stored address', { ...text, mode: 'hosted' }, { mode: 'external_text' }, missing],
    ['external_audio with the stored address', { ...audio, mode: 'hosted' }, { mode: 'external_audio' }, missing],
    ['external_text without an address', {}, { mode: 'external_text' }, 'accepted'],
    ['an external mode with a new address', {}, audio, missing],
    ['another external mode', { ...audio, ...text }, { mode: 'external_audio' }, missing],
    ['hosted in place of an external mode', text, { mode: 'hosted' }, 'accepted'],
    ['the tools, whose servers get arguments', {}, { tools: ['crm'] }, 'accepted'],
  ])('at a change: %s', async (_, stored, change, expected) => {
    const agentId = await customer.agent(stored);
    const before = (await customer.get(agentId)).body;
    expect(await code(customer.update(agentId, change, weak))).toBe(expected);
    if (expected !== 'accepted') expect((await customer.get(agentId)).body).toEqual(before);
    expect(await code(customer.update(agentId, change, strong))).toBe('accepted');
    const params = { agent_id: await customer.agent(stored) };
    expect(
      await code(
        customer.ask(
          routes.saveAgentConfiguration,
          { params, body: { agent: { ...stored, ...change }, voice_stack: {} } },
          weak,
        ),
      ),
    ).toBe(expected);
  });

  describe('by a credential that names an address', () => {
    const openai = { provider: 'openai', model: 'gpt-4.1-mini' };
    let ids: { own: string; public: string };

    beforeEach(() => {
      const { organizationId } = customer;
      ids = { own: newId('cred'), public: newId('cred') };
      const of = { organizationId, kind: 'llm', provider: 'openai' };
      platform.credentials.push({ ...of, credentialId: ids.own, ownAddress: true });
      platform.credentials.push({ ...of, credentialId: ids.public, ownAddress: false });
    });

    it('binding it needs the scope; keeping it, unbinding it and binding another one do not', async () => {
      const agentId = await customer.agent();
      const bind = (llm: string | null, as = weak) =>
        code(customer.save(agentId, { model: openai, component_credential_bindings: { llm } }, as));
      expect(await bind(ids.public)).toBe('accepted');
      expect(await bind(ids.own)).toBe(missing);
      expect(await bind(ids.own, strong)).toBe('accepted');
      expect(await bind(ids.own)).toBe('accepted');
      expect(await bind(null)).toBe('accepted');
      expect(await bind(ids.own)).toBe(missing);
    });

    it('restoring a publication that binds it needs the scope', async () => {
      const agentId = await customer.agent();
      const bound = { model: openai, component_credential_bindings: { llm: ids.own } };
      await customer.save(agentId, { ...bound, languages: ['en'] });
      await customer.save(agentId, { component_credential_bindings: { llm: ids.public } });
      const params = { agent_id: agentId, version: '1' };
      const restore = (as: object) => code(customer.ask(routes.restorePublication, { params }, as));
      expect(await restore(weak)).toBe(missing);
      expect(await restore(strong)).toBe('accepted');
    });
  });
});
