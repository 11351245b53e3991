import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { serviceCaller, systemClock } from '@parley/runtime';
import { grpcClient } from '@parley/testing';
import { VoiceStack } from '../src/agents/voice-stack-client';
import { refreshProjections } from '../src/agents/refresh-projections';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';
import { startVoiceStack } from './voice-stack-process';

const transcribers = {
  english: { provider: 'simulator', model: 'sim-listen-en' },
  deepgram: { provider: 'deepgram', model: 'nova-3' },
  azure: { provider: 'azure', model: 'realtime' },
  google: { provider: 'google', model: 'chirp_3' },
};

const tools = (count: number): string[] => Array.from({ length: count }, (_, index) => `tool_${index}`);

describe('navigation status in the voice stack of an agent', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const statusOf = async (agentId: string): Promise<Json> => (await customer.stack(agentId)).body.navigation;
  const heardBy = (languages: readonly [string, keyof typeof transcribers][]): Json => ({
    language: 'en',
    languages: languages.map(([locale]) => locale),
    language_profiles: languages.map(([locale, name]) => ({ locale, transcriber: transcribers[name] })),
  });

  it.each<[string | null, string, Json, Json]>([
    [null, 'an agent without a navigation setting', { language: 'en' }, {}],
    [null, 'enabled', { language: 'de' }, { navigation: { enabled: true } }],
    ['turned_off', 'disabled', { language: 'en' }, { navigation: { enabled: false } }],
    ['engine_not_supported', 'a live engine', { language: 'en' }, { voice_frontend: 'engine_a_live' }],
    ['engine_not_supported', 'mode external_audio', { language: 'en', mode: 'external_audio' }, {}],
    ['languages_unreleased', 'a language that is not one of the nine', { language: 'en', languages: ['en', 'et'] }, {}],
    [null, 'a regional variant of one of the nine', { language: 'pt-BR', languages: ['pt-BR', 'pl'] }, {}],
    [
      'languages_uncovered',
      'a transcriber that does not support a language',
      heardBy([
        ['en', 'english'],
        ['de', 'english'],
      ]),
      {},
    ],
    [
      null,
      'two connections',
      heardBy([
        ['en', 'deepgram'],
        ['de', 'azure'],
      ]),
      {},
    ],
    [
      'too_many_sockets',
      'three connections',
      heardBy([
        ['en', 'deepgram'],
        ['de', 'azure'],
        ['fr', 'google'],
      ]),
      {},
    ],
    [null, 'no language, so that the default language applies', {}, {}],
    [null, '29 tools', { language: 'en', tools: tools(29) }, {}],
    ['tool_budget', '30 tools', { language: 'en', tools: tools(30) }, {}],
  ])('ineligible_reason is %s: %s', async (reason, _title, create, save) => {
    const agentId = await customer.agent(create);
    if (Object.keys(save).length > 0) await customer.save(agentId, save);
    expect(await statusOf(agentId)).toEqual({
      enabled: save.navigation?.enabled ?? null,
      effective: reason === null,
      eligible: reason === null,
      ineligible_reason: reason,
      max_hold_seconds: 600,
      max_navigation_seconds: 180,
    });
    expect(JSON.parse((await customer.forCall(agentId)).tuning?.json.toString() ?? '')).toMatchObject({
      navigation_ineligible_reason: reason,
    });
  });

  it('an agent that cannot navigate can be saved and published', async () => {
    const agentId = await customer.agent({ language: 'en' });
    const { body } = await customer.save(agentId, { languages: ['en', 'et'], navigation: { enabled: true } });
    expect(body).toMatchObject({
      language_profiles: { published_version: 1 },
      navigation: { enabled: true, effective: false, ineligible_reason: 'languages_unreleased' },
    });
  });

  it('tool_name_conflict for a tool that existed before its name was reserved', async () => {
    const agentId = await customer.agent({ language: 'en', tools: ['older'] });
    const admin = await platform.asOwner();
    try {
      await admin.query({
        text: `update agents set document = replace(document, '"older"', '"wait_on_hold"')
               where organization_id = $1 and agent_id = $2`,
        values: [customer.organizationId, agentId],
      });
    } finally {
      await admin.pool.end();
    }
    await customer.update(agentId, { name: 'saved since' });
    expect(await statusOf(agentId)).toMatchObject({ eligible: false, ineligible_reason: 'tool_name_conflict' });
  });

  it('not_released for every agent of an installation with NAVIGATION_ENABLED=false', async () => {
    const agentId = await customer.agent({ language: 'en' });
    const other = await startVoiceStack({ NAVIGATION_ENABLED: 'false' });
    const client = grpcClient<VoiceStackServiceServer>(VoiceStackServiceService, other.address);
    try {
      const voiceStack = new VoiceStack(client, systemClock);
      await refreshProjections({ ...platform.dependencies, voiceStack }, { requestId: 'test', caller: serviceCaller });
      expect(await statusOf(agentId)).toMatchObject({ effective: false, ineligible_reason: 'not_released' });
    } finally {
      client.close();
      await other.stop();
    }
  });
});
