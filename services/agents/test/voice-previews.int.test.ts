import { newId } from '@parley/runtime';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

const text = 'Good morning, how can I help you today?';
const european = { provider: 'simulator', model: 'sim-speak-european' };
const english = { provider: 'simulator', model: 'sim-speak-en' };

describe('voice previews of agents', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const sound = async (body: Json) => (await customer.previewVoice({ text, ...body })).toString('base64');

  it('POST /v1/voice-previews: without an agent uses the voice of the body, or the default', async () => {
    const content = await customer.previewVoice({ text });
    expect(content.toString('latin1', 0, 4)).toBe('RIFF');
    expect(await sound({ voice: { provider: 'simulator', model: 'sim-speak-40' } })).toBe(content.toString('base64'));
  });

  it('POST /v1/voice-previews: voice, language and delivery of the agent apply if the body has none', async () => {
    const agent_id = await customer.agent({ voice: european });
    const before = await customer.get(agent_id);
    expect(await sound({ agent_id })).toBe(await sound({ voice: european }));
    await customer.save(agent_id, { voice_polish: { delivery: 'calm' } });
    const calm = await sound({ voice: european, delivery: 'calm' });
    expect(await sound({ agent_id })).toBe(calm);
    expect(await sound({ agent_id, delivery: 'lively' })).not.toBe(calm);
    expect(await sound({ agent_id, voice: english })).toBe(await sound({ voice: english }));
    expect((await customer.get(agent_id)).body).toMatchObject({ voice: before.body.voice as Json });
  });

  it.each<[string, Json]>([
    ['text', { text: '' }],
    ['text', { text: 'a'.repeat(501) }],
    ['delivery', { delivery: 'fast' }],
    ['colour', { colour: 'blue' }],
    ['voice', { voice: { provider: 'unknown', model: 'x' } }],
    ['language', { language: 'not a language' }],
    ['language', { voice: english, language: 'de' }],
  ])('400 names %s for %j', async (field, body) => {
    const pending = customer.previewVoice({ text, ...body });
    await expect(pending).rejects.toMatchObject({ status: 400, code: 'BadRequestError' });
    await expect(pending).rejects.toThrow(new RegExp(`^${field} `));
  });

  it.each<[string, Json, 'spoken' | 'refused']>([
    ['of the organization, kind tts and the provider of the voice', {}, 'spoken'],
    ['of another organization', { organizationId: newId('org') }, 'refused'],
    ['of another kind', { kind: 'llm' }, 'refused'],
    ['of another provider', { provider: 'openai' }, 'refused'],
    ['that does not exist', { credentialId: newId('cred') }, 'refused'],
  ])('component_credential_id names a credential %s', async (_, change, expected) => {
    const { organizationId } = customer;
    const component_credential_id = newId('cred');
    const good = { organizationId, credentialId: component_credential_id, kind: 'tts', provider: 'simulator' };
    platform.credentials.push({ ...good, ...change });
    const pending = customer.previewVoice({ text, component_credential_id });
    if (expected === 'spoken') expect((await pending).length).toBeGreaterThan(44);
    else
      await expect(pending).rejects.toMatchObject({
        status: 400,
        fields: { errors: [{ path: 'component_credential_id' }] },
      });
  });

  it('404 for an agent of another organization and for an unknown one', async () => {
    const agent_id = await customer.agent();
    const stranger = platform.customer();
    for (const id of [agent_id, newId('agt'), 'nonsense'])
      await expect(stranger.previewVoice({ text, agent_id: id })).rejects.toMatchObject({ status: 404 });
  });
});
