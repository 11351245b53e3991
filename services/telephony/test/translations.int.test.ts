import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { routes, type EventEnvelope, type TranscriptRecord } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { documentOf } from '@parley/runtime';
import { eventually, customerCaller } from '@parley/testing';
import { addNumber, claimOne, complete, place, freshNumber, report } from './test-caller';
import { eventsOf, listMessages, readMessage, send, webhook } from './test-messages';
import { TelephonyConfig, translatedBy } from '../src/config';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const transcript = {
  language: 'en',
  turns: [
    { speaker: 'agent', text: 'Hello!', started_ms: 0, ended_ms: 900 },
    { speaker: 'caller', text: 'Good morning.', started_ms: 1000, ended_ms: 1900 },
  ],
};

const tuning = (translation: object) => ({
  tuning: documentOf('CallTuning', { tools: [], recording_enabled: false, translation }),
});

describe('translations', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ simulatorWebhookToken: 'sim-token' });
    await under.start();
  });
  afterAll(() => under.stop());

  async function prepared(translation: object): Promise<{ agent: AgentForCall; from: string }> {
    const agent = under.fakes.addAgent(tuning(translation));
    return { agent, from: await addNumber(telephony, agent) };
  }

  const translated = (agent: AgentForCall, id: string, by: Instance = telephony) =>
    eventually(async () => {
      const message = await readMessage(by, agent, id);
      return message.translation !== null && message.translation.status !== 'pending' ? message : undefined;
    });

  it('fails every translation if no provider is configured', async () => {
    const alone = await telephonyUnderTest();
    const noService = await alone.start({ translationProvider: 'none' });
    const agent = alone.fakes.addAgent(tuning({ enabled: true, target_language: 'de', scope: 'messages' }));
    await addNumber(noService, agent);
    const { message } = await send(noService, agent);
    const failed = await translated(agent, message.message_id, noService);
    expect(failed.translation).toMatchObject({ status: 'failed', reason: 'no_provider' });
    await alone.stop();
  });

  it.each<[Partial<TelephonyConfig>, string]>([
    [{ parleyEnv: 'production' }, 'none'],
    [{ parleyEnv: 'development' }, 'simulator'],
    [{ parleyEnv: 'production', translationProvider: 'simulator' }, 'simulator'],
    [{ parleyEnv: 'development', translationProvider: 'deepl' }, 'deepl'],
  ])('with %j the translation provider is %s', (settings, expected) => {
    expect(translatedBy(Object.assign(new TelephonyConfig(), settings))).toBe(expected);
  });

  async function completedCall(agent: AgentForCall, said: object = transcript): Promise<string> {
    const { call } = await place(telephony, agent);
    const job = await claimOne(telephony);
    await report(telephony, job, 1, 'dialing', 'answered', { type: 'ended', ended_reason: 'callee_hung_up' });
    await complete(telephony, job, said);
    return call.call_id;
  }

  const transcriptOf = async ({ organizationId }: AgentForCall, callId: string): Promise<TranscriptRecord> => {
    const request = { caller: customerCaller(organizationId), params: { call_id: callId } };
    return (await telephony.request(routes.getTranscript, request)).body;
  };

  const callEvents = async (callId: string): Promise<EventEnvelope[]> => {
    const { rows } = await under.db.query<{ payload: string }>({
      text: 'select payload from call_events where call_id = $1 order by resource_seq',
      values: [callId],
    });
    return rows.map(({ payload }) => JSON.parse(payload) as EventEnvelope);
  };

  it('a sent message is translated once, with one event, and shows the provider simulator', async () => {
    const { agent } = await prepared({ enabled: true, target_language: 'de', scope: 'messages' });
    const { message } = await send(telephony, agent, { body: { body: 'See you' } });
    expect(message.translation).toEqual({
      status: 'pending',
      target_language: 'de',
      body: null,
      provider: null,
      reason: null,
    });
    const after = await translated(agent, message.message_id);
    expect(after.translation).toEqual({
      status: 'ready',
      target_language: 'de',
      body: '[de] See you',
      provider: 'simulator',
      reason: null,
    });
    expect(after.body).toBe('See you');
    const events = await eventsOf(under, message.message_id);
    const [reported, ...more] = events.filter(({ type }) => type.startsWith('sms.translation.'));
    expect([reported?.type, more]).toEqual(['sms.translation.ready', []]);
    expect(reported?.data).toMatchObject({ translation: { body: '[de] See you' } });
    expect(events.map(({ resource_seq }) => resource_seq)).toEqual(events.map((_, index) => index + 1));
  });

  it("an incoming message is translated by the settings of the number's agent", async () => {
    const { agent, from } = await prepared({ enabled: true, target_language: 'fr' });
    await under.db.query({
      text: 'update numbers set inbound_agent_id = $2 where phone_number = $1',
      values: [from, agent.agentId],
    });
    await webhook(telephony, {}, { MessageSid: 'SMin', To: from, From: freshNumber(), Body: 'Hi' });
    const [message] = (await listMessages(telephony, agent.organizationId)).data;
    const after = await translated(agent, message?.message_id ?? '');
    expect(after.translation).toMatchObject({ status: 'ready', body: '[fr] Hi' });
    const types = (await eventsOf(under, after.message_id)).map(({ type }) => type);
    expect(types).toEqual(['sms.received', 'sms.translation.ready']);
  });

  it.each([
    ['translation is disabled', { enabled: false, target_language: 'de' }, {}],
    ['no target language is set', { enabled: true }, {}],
    ['the scope is transcripts', { enabled: true, target_language: 'de', scope: 'transcripts' }, {}],
    ['the message is in the target language', { enabled: true, target_language: 'de-DE' }, { language: 'de_de' }],
  ])('a message is not translated if %s', async (_, policy, body) => {
    const { agent } = await prepared(policy);
    expect((await send(telephony, agent, { body })).message.translation).toBeNull();
    const { rows } = await under.db.query({
      text: 'select 1 from translation_jobs where organization_id = $1',
      values: [agent.organizationId],
    });
    expect(rows).toEqual([]);
  });

  it('a translation that the provider rejects fails with a reason and publishes sms.translation.failed', async () => {
    const { agent } = await prepared({ enabled: true, target_language: 'zxx' });
    const { message } = await send(telephony, agent);
    const after = await translated(agent, message.message_id);
    expect(after.translation).toMatchObject({ status: 'failed', body: null, reason: 'language_not_supported' });
    const types = (await eventsOf(under, message.message_id)).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('sms.translation.'))).toEqual(['sms.translation.failed']);
  });

  it('a transcript is translated turn by turn by the settings stored with its call, and returned with it', async () => {
    const { agent } = await prepared({ enabled: true, target_language: 'de' });
    const callId = await completedCall(agent);
    const read = await eventually(async () => {
      const now = await transcriptOf(agent, callId);
      return now.translation?.status === 'ready' ? now : undefined;
    });
    expect(read).toMatchObject({
      ...transcript,
      translation: {
        status: 'ready',
        target_language: 'de',
        texts: ['[de] Hello!', '[de] Good morning.'],
        provider: 'simulator',
        reason: null,
      },
    });
    const events = await callEvents(callId);
    expect(events.at(-1)).toMatchObject({ type: 'call.translation.ready', resource_id: callId });
    expect(events.filter(({ type }) => type.startsWith('call.translation.'))).toHaveLength(1);
  });

  it('a transcript whose translation the provider rejects publishes call.translation.failed', async () => {
    const { agent } = await prepared({ enabled: true, target_language: 'zxx', scope: 'transcripts' });
    const callId = await completedCall(agent);
    await eventually(async () =>
      (await transcriptOf(agent, callId)).translation?.status === 'failed' ? true : undefined,
    );
    expect((await callEvents(callId)).at(-1)?.type).toBe('call.translation.failed');
  });

  it.each([
    ['the scope is messages', { enabled: true, target_language: 'de', scope: 'messages' }],
    ['it is in the target language', { enabled: true, target_language: 'en' }],
  ])('a transcript is not translated if %s', async (_, policy) => {
    const { agent } = await prepared(policy);
    expect((await transcriptOf(agent, await completedCall(agent))).translation).toBeNull();
  });

  it('after a crash another instance finishes the translation when the lease expires, without a second event', async () => {
    const { agent } = await prepared({ enabled: true, target_language: 'de' });
    const { message_id: id } = (await send(telephony, agent)).message;
    await translated(agent, id);
    // The rows left by a process that crashed after its write, and by one that crashed before it.
    const job = (resource: string) =>
      under.db.query({
        text: `insert into translation_jobs (resource_id, organization_id, kind, target_language, attempts, due_at)
               values ($1, $2, 'message', 'de', 1, now())`,
        values: [resource, agent.organizationId],
      });
    const reported = (await eventsOf(under, id)).filter(({ type }) => type === 'sms.translation.ready').length;
    await job(id);
    await eventually(async () => {
      const { rows } = await under.db.query({
        text: 'select 1 from translation_jobs where resource_id = $1',
        values: [id],
      });
      return rows.length === 0 ? true : undefined;
    });
    expect((await eventsOf(under, id)).filter(({ type }) => type === 'sms.translation.ready')).toHaveLength(reported);
    await under.db.query({
      text: `update messages set translation_status = 'pending', translation_body = null where message_id = $1`,
      values: [id],
    });
    await job(id);
    expect((await translated(agent, id)).translation?.status).toBe('ready');
  });

  describe('by DeepL, against a local server with the DeepL protocol', () => {
    let server: Server;
    let own: UnderTest;
    let instance: Instance;
    const asked: { authorization: string; body: Record<string, unknown> }[] = [];
    const answers: (() => [number, unknown])[] = [];

    beforeAll(async () => {
      server = createServer((request, response) => {
        let text = '';
        request.on('data', (chunk: Buffer) => (text += chunk.toString()));
        request.on('end', () => {
          const body = JSON.parse(text) as { text: string[] };
          asked.push({ authorization: request.headers.authorization ?? '', body });
          const right = () => [200, { translations: body.text.map((one) => ({ text: one.toUpperCase() })) }] as const;
          const [status, answer] = (answers.shift() ?? right)();
          response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const deeplApiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      own = await telephonyUnderTest();
      instance = await own.start({ translationProvider: 'deepl', deeplApiUrl, deeplAuthKey: 'deepl-key' });
    });
    afterAll(async () => {
      await own.stop();
      await new Promise((resolve) => server.close(resolve));
    });

    const sent = async () => {
      const agent = own.fakes.addAgent(tuning({ enabled: true, target_language: 'pt-BR' }));
      await addNumber(instance, agent);
      const { message } = await send(instance, agent, { body: { body: 'See you', language: 'en-US' } });
      return { agent, id: message.message_id };
    };

    it('sends key, text and languages as DeepL expects them', async () => {
      const { agent, id } = await sent();
      expect((await translated(agent, id, instance)).translation).toMatchObject({ body: 'SEE YOU', provider: 'deepl' });
      expect(asked.at(-1)).toEqual({
        authorization: 'DeepL-Auth-Key deepl-key',
        body: { text: ['See you'], target_lang: 'PT-BR', source_lang: 'EN' },
      });
    });

    it('retries after 503, and fails after 400', async () => {
      answers.push(() => [503, {}]);
      const { agent, id } = await sent();
      await eventually(async () => {
        const { rows } = await own.db.query({
          text: `update translation_jobs set due_at = now() where resource_id = $1 and attempts = 1 returning 1`,
          values: [id],
        });
        return rows.length > 0 || (await readMessage(instance, agent, id)).translation?.status === 'ready'
          ? true
          : undefined;
      });
      expect((await translated(agent, id, instance)).translation?.status).toBe('ready');
      answers.push(() => [400, { message: 'no' }]);
      const other = await sent();
      expect((await translated(other.agent, other.id, instance)).translation).toMatchObject({
        status: 'failed',
        reason: 'provider_refused_400',
      });
    });
  });
});
