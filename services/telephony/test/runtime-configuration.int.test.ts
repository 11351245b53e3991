import type { AgentForCall } from '@parley/proto/agents';
import { sealedHeaderContext } from '@parley/contract';
import { documentOf } from '@parley/runtime';
import { createVault, parseVaultKeys } from '@parley/vault';
import { addNumber, claimOne, place } from './test-caller';
import { setPolicy } from './organization-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

describe('the runtime configuration in a claimed job', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());

  const tuning = (sections: object) =>
    documentOf('CallTuning', { ...sections, navigation_ineligible_reason: null, tools: [], recording_enabled: false });

  /** The stored agent after its owner has saved it. */
  const save = (agent: AgentForCall, change: Partial<AgentForCall>) => Object.assign(agent, change);

  const claimed = async (callId: unknown) => {
    const job = await claimOne(telephony);
    expect(job.call).toMatchObject({ call_id: callId });
    return job.runtime_configuration;
  };

  it('contains the tuning as stored and the effective values of every section', async () => {
    const stored = {
      opening: { silence_wait_seconds: 3 },
      turn_taking: { interruption_sensitivity: 'high', min_speech_ms: 80 },
      voice_polish: { delivery: 'calm', tool_wait: { mode: 'sound' } },
      answer_detection: { voicemail: 'hang_up' },
      navigation: { enabled: true, max_hold_seconds: 900 },
      audio_environment: { preset: 'office', volume: 0.2 },
    };
    const agent = under.fakes.addAgent({ tuning: tuning(stored) });
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent);
    expect(await claimed(call.call_id)).toMatchObject({
      tuning: stored,
      effective: {
        profile: { locale: 'en-US', greeting: 'Hello!' },
        first_speaker: 'callee',
        silence_wait_seconds: 3,
        interruption_threshold_ms: 150,
        min_interruption_words: 1,
        end_of_turn_ms: { finished: 260, unfinished: 600, without_detector: 600 },
        voice_polish: {
          delivery: { chosen: 'calm', voices: [{ model: 'sim-speak', delivery_control: 'speed', value: 0.9 }] },
          tool_wait: { mode: 'sound', delay_ms: 1000 },
        },
        answer_detection: { voicemail: { chosen: 'hang_up', effective: 'shadow' } },
        navigation: { active: true, max_hold_seconds: 900, max_navigation_seconds: 180 },
        audio_environment: { preset: 'office', volume: 0.2 },
      },
    });
  });

  it('masks header values of tools, whether they are stored encrypted or in plain text by an earlier version', async () => {
    const vault = createVault(parseVaultKeys(`k1:${Buffer.alloc(32, 7).toString('base64')}`));
    const agent = under.fakes.addAgent();
    const webhook = {
      type: 'webhook',
      description: 'x',
      parameters: { type: 'object' },
      url: 'https://a.example/',
      method: 'POST',
    };
    const sealed = vault
      .seal('Bearer TOOL-SECRET', sealedHeaderContext(agent.organizationId, agent.agentId, 'crm', 'Authorization'))
      .toString('base64');
    save(agent, {
      tuning: documentOf('CallTuning', {
        navigation_ineligible_reason: null,
        recording_enabled: false,
        tools: [
          { ...webhook, name: 'crm', sealed_headers: { authorization: sealed } },
          { ...webhook, name: 'older', headers: { 'X-Team': 'blue' } },
          'legacy',
        ],
      }),
    });
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent);
    expect((await claimed(call.call_id))['tuning']).toMatchObject({
      tools: [
        { ...webhook, name: 'crm', headers: { authorization: '***' } },
        { ...webhook, name: 'older', headers: { 'X-Team': '***' } },
        'legacy',
      ],
    });
  });

  it('is fixed when the call is placed: changes of the agent apply to later calls only', async () => {
    const agent = under.fakes.addAgent({ tuning: tuning({ turn_taking: { max_call_seconds: 60 } }) });
    await addNumber(telephony, agent);
    const { call: before } = await place(telephony, agent);
    save(agent, {
      publicationVersion: agent.publicationVersion + 1,
      publicationSha256: 'cd'.repeat(32),
      tuning: tuning({ turn_taking: { max_call_seconds: 120 } }),
    });
    const { call: after } = await place(telephony, agent);
    expect([before, after].map((call) => call['publication'])).toEqual([
      { version: 3, publication_id: `pub_${'ab'.repeat(32)}` },
      { version: 4, publication_id: `pub_${'cd'.repeat(32)}` },
    ]);
    expect((await claimed(before.call_id))['effective']).toMatchObject({ max_call_seconds: 60 });
    expect((await claimed(after.call_id))['effective']).toMatchObject({ max_call_seconds: 120 });
  });

  it.each([
    ['its text in the language of the call', true, 'de-AT', { text: 'Wird aufgezeichnet.' }],
    ['null without a text in that language', true, 'fr', null],
    ['absent if the call is not recorded', false, 'de-AT', undefined],
  ])('recording_announcement is %s', async (_, recordingEnabled, language, expected) => {
    const publicationSha256 = 'a7'.repeat(32);
    const languages = ['en-US', 'de-AT', 'fr'];
    const transcriber = { provider: 'simulator', model: 'sim-listen-40' };
    const voice = { provider: 'simulator', model: 'sim-speak-40', voice_id: 'sim-anna' };
    const profiles = languages.map((locale) => ({ locale, greeting: null, transcriber, voice }));
    under.fakes.publications.set(publicationSha256, { languages, profiles });
    const agent = under.fakes.addAgent({ recordingEnabled, publicationSha256, tuning: tuning({}) });
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent, { body: { language } });
    expect(call).toMatchObject({ language });
    const announcements = [{ language: 'de', text: 'Wird aufgezeichnet.' }];
    const policy = { recording_announcements: announcements };
    expect((await setPolicy(telephony, agent.organizationId, policy)).body).toMatchObject(policy);
    expect((await claimed(call.call_id))['recording_announcement']).toEqual(expected);
  });

  it('has no recording_announcement if the organization has set none', async () => {
    const agent = under.fakes.addAgent({ recordingEnabled: true, tuning: tuning({}) });
    await addNumber(telephony, agent);
    await setPolicy(telephony, agent.organizationId, { consent_required: { mode: 'shadow' } });
    const { call } = await place(telephony, agent);
    expect(await claimed(call.call_id)).not.toHaveProperty('recording_announcement');
  });

  it.each([
    ['a price of 0.01 USD a minute and a limit of 0.005 USD give 30 s', 10_000, 5_000, 30],
    ['fractions of a second are dropped', 10_000, 5_166, 30],
    ['at least 1 s', 1_000_000, 1, 1],
    ['absent if the call costs nothing', 0, 5_000, undefined],
  ])(
    'spend_cap_seconds follows from price and call_spend_micros: %s',
    async (_, costMicrosPerMinute, most, seconds) => {
      const agent = under.fakes.addAgent({ costMicrosPerMinute: String(costMicrosPerMinute), tuning: tuning({}) });
      await addNumber(telephony, agent);
      const policy = { call_spend_micros: most };
      expect((await setPolicy(telephony, agent.organizationId, policy)).body).toMatchObject(policy);
      const { call } = await place(telephony, agent);
      expect((await claimed(call.call_id))['spend_cap_seconds']).toBe(seconds);
    },
  );

  it('has no spend_cap_seconds if call_spend_micros is null', async () => {
    const agent = under.fakes.addAgent({ costMicrosPerMinute: '10000', tuning: tuning({}) });
    await addNumber(telephony, agent);
    await setPolicy(telephony, agent.organizationId, { call_spend_micros: null });
    const { call } = await place(telephony, agent);
    expect(await claimed(call.call_id)).not.toHaveProperty('spend_cap_seconds');
  });

  it.each([0, 1.5, '5', 1_000_000_000_001])(
    'the policy rejects call_spend_micros %j with 400',
    async (call_spend_micros) => {
      const agent = under.fakes.addAgent();
      await addNumber(telephony, agent);
      const put = setPolicy(telephony, agent.organizationId, { call_spend_micros });
      expect(await refusal(put)).toEqual([400, 'BadRequestError']);
    },
  );

  it.each([
    ['an empty list', []],
    ['51 announcements', Array.from({ length: 51 }, (_, n) => ({ language: 'de', text: String(n) }))],
    ['an empty text', [{ language: 'de', text: '' }]],
    ['a text of 501 characters', [{ language: 'de', text: 'x'.repeat(501) }]],
    ['no language', [{ text: 'x' }]],
  ])('the policy rejects recording_announcements with 400: %s', async (_, recording_announcements) => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const put = setPolicy(telephony, agent.organizationId, { recording_announcements });
    expect(await refusal(put)).toEqual([400, 'BadRequestError']);
  });
});
