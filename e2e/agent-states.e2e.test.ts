import fc from 'fast-check';
import pg from 'pg';
import { Examiner } from './agent-rules/examiner';
import { sections, type Section } from './agent-rules/sections';
import { Api, type Answer } from './api';
import { Customer, type CallRecord } from './customer';
import { Platform } from './platform';
import { until } from './until';

const code = ({ status, body }: Answer): string => `${status} ${String(body.error)}`;

/** Tests what depends on stored state, with two replicas of every service: status, credentials, secrets and concurrent changes. */
describe('states of agents', () => {
  let platform: Platform;
  let customer: Customer;
  let examiner: Examiner;
  let operator: Api;

  beforeAll(async () => {
    platform = await Platform.shared('pair');
    customer = await Customer.create(platform);
    operator = new Api(() => platform.baseUrls, platform.development.operator_key);
    const projects = `/v1/organizations/${customer.organizationId}/projects`;
    examiner = new Examiner(customer, String((await customer.api.post(projects, { name: 'Empty' })).body.project_id));
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  describe('status', () => {
    const suspend = (agentId: string, headers?: Record<string, string>) =>
      operator.post(`/v1/agents/${agentId}/suspend`, undefined, headers);
    const reinstate = (agentId: string) => operator.post(`/v1/agents/${agentId}/reinstate`, undefined);
    const call = (agentId: string) => customer.api.post('/v1/calls', { agent_id: agentId, to: '+15005550006' });
    const update = (agentId: string, body: object) => customer.api.patch(`/v1/agents/${agentId}`, body);

    it('refuses calls and messages of an inactive agent and nothing else; activating it changes only that', async () => {
      const agentId = await examiner.agent({ language: 'en' }, { languages: ['en'], tools: ['look_up'] });
      const before = await examiner.reads(agentId);
      expect((await update(agentId, { status: 'inactive' })).body.status).toBe('inactive');
      expect(code(await call(agentId))).toBe('409 ConflictError');
      const inactive = await examiner.reads(agentId);
      expect(inactive.stack).toEqual(before.stack);
      expect((await customer.api.patch(`/v1/agents/${agentId}/voice-stack`, { first_message: 'Hello' })).status).toBe(
        200,
      );
      const { body } = await update(agentId, { status: 'active' });
      expect(body).toMatchObject({ status: 'active', first_message: 'Hello', tools: ['look_up'] });
      expect((await call(agentId)).status).toBe(201);
    });

    it.each(['active', 'inactive'])(
      'only an operator can reinstate a suspended agent, which is then %s again',
      async (status) => {
        const agentId = await examiner.agent();
        await update(agentId, { status });
        const suspended = await suspend(agentId);
        expect([suspended.status, suspended.body.status]).toEqual([200, 'suspended']);
        for (const next of ['active', 'inactive'])
          expect(code(await update(agentId, { status: next }))).toBe('400 BadRequestError');
        expect(code(await call(agentId))).toBe('423 SuspensionError');
        expect((await update(agentId, { name: 'Still editable' })).body).toMatchObject({ status: 'suspended' });
        const again = await suspend(agentId);
        expect([again.body.status, again.body.name]).toEqual(['suspended', 'Still editable']);
        expect((await reinstate(agentId)).body.status).toBe(status);
        const { headers } = await reinstate(agentId);
        expect(headers['etag']).toBe((await examiner.reads(agentId)).etag);
      },
    );

    it('a customer cannot suspend or reinstate; a stale If-Match is 409; an agent that never existed is 404', async () => {
      const agentId = await examiner.agent();
      for (const act of ['suspend', 'reinstate']) {
        expect(code(await customer.api.post(`/v1/agents/${agentId}/${act}`))).toBe('403 ForbiddenError');
        expect(code(await operator.post(`/v1/agents/agt_01m7zdqk0ve00b39zw9x77dj51/${act}`))).toBe('404 NotFoundError');
      }
      expect(code(await suspend(agentId, { 'if-match': '"9"' }))).toBe('409 ConflictError');
      expect((await examiner.reads(agentId)).agent).toMatchObject({ status: 'active' });
    });

    it('suspension and reinstatement are each recorded once in the audit log', async () => {
      const agentId = await examiner.agent();
      await suspend(agentId);
      await suspend(agentId);
      await reinstate(agentId);
      const acts = await until('both acts in the audit log', async () => {
        const log = `/v1/organizations/${customer.organizationId}/audit-log?limit=100`;
        const { body } = await customer.api.get<{ data: { subject: string; action: string }[] }>(log);
        const found = body.data
          .filter(({ subject, action }) => subject === agentId && action !== 'agent.created')
          .map(({ action }) => action);
        return found.length >= 2 ? found : undefined;
      });
      expect([...acts].sort()).toEqual(['agent.reinstated', 'agent.suspended']);
    });
  });

  describe('with calls', () => {
    const placed = async (agentId: string, to: string, more: object = {}): Promise<CallRecord> => {
      const answer = await customer.api.post<CallRecord>('/v1/calls', { agent_id: agentId, to, ...more });
      expect(answer.status).toBe(201);
      return answer.body;
    };
    // Longer than any stall of the machine, because a call without speech would otherwise end.
    const patience = { turn_taking: { no_caller_speech_seconds: 120 } };

    it('cannot be deleted while a call is live (409); can be deleted after its end, and the call record is kept', async () => {
      const agentId = await examiner.agent({ language: 'en' }, patience);
      const path = `/v1/agents/${agentId}`;
      // This callee is silent for three minutes in real time.
      const { call_id: callId } = await placed(agentId, '+15005550007');
      await until(`${callId} is answered`, async () =>
        (await customer.readCall(callId)).status === 'answered' ? true : undefined,
      );
      expect(code(await customer.api.delete(path))).toBe('409 ConflictError');
      expect((await customer.api.get(path)).status).toBe(200);
      expect((await customer.api.post(`/v1/calls/${callId}/cancel`)).status).toBe(200);
      await customer.finished(callId);
      expect((await customer.api.delete(path)).status).toBe(200);
      expect(code(await customer.api.get(path))).toBe('404 NotFoundError');
      expect(await customer.readCall(callId)).toMatchObject({ call_id: callId, agent_id: agentId });
    });

    it('the call records show the evidence of answer detection, and the time in menus and on hold', async () => {
      const detection = { answer_detection: { voicemail: 'hang_up' } };
      const agentId = await examiner.agent({ language: 'en' }, { ...patience, ...detection });
      const [mailbox, menu] = await Promise.all(
        ['+15005550003', '+15005550008'].map(async (to) => customer.finished((await placed(agentId, to)).call_id)),
      );
      const modes = {
        non_human_audio: { chosen: 'shadow', effective: 'shadow' },
        voicemail: { chosen: 'hang_up', effective: 'shadow' },
      };
      expect(mailbox).toMatchObject({ classification: 'voicemail', answer_detection: { ...modes, proof: 'beep' } });
      expect(mailbox?.['navigation']).toEqual({ menu_ms: 0, hold_ms: 0 });
      expect(menu).toMatchObject({ classification: 'human', answer_detection: { ...modes, proof: null } });
      const { menu_ms, hold_ms } = menu?.['navigation'] as { menu_ms: number; hold_ms: number };
      expect(menu_ms).toBeGreaterThan(0);
      // The hold queue plays six seconds of music, then the person speaks.
      expect(hold_ms).toBeGreaterThanOrEqual(6_000);
    });

    it('greets a call in de-AT by the language profile of de', async () => {
      const profiles = [{ locale: 'de', greeting: 'Guten Tag.' }];
      const stack = { languages: ['en', 'de'], language_profiles: profiles, first_message: 'Good morning.' };
      const agentId = await examiner.agent({ language: 'en' }, { ...patience, ...stack });
      const { call_id: callId } = await placed(agentId, '+15005550006', { language: 'de-AT' });
      await customer.finished(callId);
      const { body } = await until(`the transcript of ${callId}`, async () => {
        const answer = await customer.api.get<{ turns: { speaker: string; text: string }[] }>(
          `/v1/calls/${callId}/transcript`,
        );
        return answer.status === 200 ? answer : undefined;
      });
      expect(body.turns.find(({ speaker }) => speaker === 'agent')?.text).toBe('Guten Tag.');
    });
  });

  it('barge_in_speech_rms: a response with this deprecated field has a Deprecation header', async () => {
    const agentId = await examiner.agent();
    const path = `/v1/agents/${agentId}/voice-stack`;
    expect((await customer.api.get(path)).headers).not.toHaveProperty('deprecation');
    const saved = await customer.api.patch(path, { turn_taking: { barge_in_speech_rms: 900 } });
    expect(saved.headers['deprecation']).toMatch(/^@\d+$/);
    expect((await customer.api.get(path)).headers['deprecation']).toBe(saved.headers['deprecation']);
    expect((await customer.api.get(`/v1/agents/${agentId}`)).headers).not.toHaveProperty('deprecation');
  });

  it('AgentAudioEnvironment: a stored preset that no longer exists reads as invalid, can be sent back, and can be replaced', async () => {
    const agentId = await examiner.agent({ language: 'en' }, { audio_environment: { preset: 'office', volume: 0.3 } });
    const path = `/v1/agents/${agentId}/voice-stack`;
    // No request can store this value any more, but earlier versions of the platform did.
    const admin = new pg.Client({ connectionString: platform.databaseUrl });
    await admin.connect();
    await admin.query(
      `update agents.agents set document = replace(document, '"office"', '"beach"') where agent_id = $1`,
      [agentId],
    );
    await admin.end();
    const stored = { preset: 'beach', volume: 0.3 };
    const shown = { invalid: true, stored };
    // The stored view is rendered again by the next change, whatever it is.
    expect((await customer.api.patch(`/v1/agents/${agentId}`, { name: 'By the sea' })).status).toBe(200);
    expect((await customer.api.get(path)).body.audio_environment).toEqual(shown);
    expect(code(await customer.api.patch(path, { audio_environment: stored }))).toBe('400 BadRequestError');
    expect(
      (await customer.api.patch(path, { audio_environment: shown, first_message: 'Hi' })).body.audio_environment,
    ).toEqual(shown);
    const replaced = await customer.api.patch(path, { audio_environment: { preset: 'street' } });
    expect(replaced.body.audio_environment).toEqual({ preset: 'street' });
    expect((await customer.api.get(path)).body.audio_environment).toEqual({ preset: 'street' });
  });

  it('a call and a trial call may name only the project of their agent; another project of the organization is 404', async () => {
    const agentId = await examiner.agent();
    const projects = `/v1/organizations/${customer.organizationId}/projects`;
    const other = String((await customer.api.post(projects, { name: 'Other' })).body.project_id);
    for (const [path, fields] of [
      ['/v1/trial-calls', { outcome: 'busy' }],
      ['/v1/calls', { to: '+15005550006' }],
    ] as const) {
      const named = (project_id: string) => customer.api.post(path, { agent_id: agentId, project_id, ...fields });
      expect(code(await named(other))).toBe('404 NotFoundError');
      expect((await named(customer.projectId)).status).toBe(201);
    }
  });

  it('a call is conducted by the workflow that was published when it was placed', async () => {
    const agentId = await examiner.agent({ language: 'en', begin_message: 'Good morning.' });
    const path = `/v1/agents/${agentId}/workflow`;
    const nodes = [
      { id: 'start', type: 'start' },
      { id: 'why', type: 'ask', text: 'What is it about?', variable: 'subject' },
      { id: 'end', type: 'end', text: 'You said: {{subject}}' },
    ];
    const edges = [
      { from: 'start', to: 'why' },
      { from: 'why', to: 'end' },
    ];
    expect((await customer.api.post(`${path}/draft`, { draft: { nodes, edges } })).status).toBe(201);
    expect((await customer.api.post(`${path}/publish`, {})).status).toBe(200);
    const placed = await customer.api.post<CallRecord>('/v1/calls', { agent_id: agentId, to: '+15005550006' });
    const call = await customer.finished(placed.body.call_id);
    expect(call.status).toBe('completed');
    const transcript = await customer.api.get<{ turns: { speaker: string; text: string }[] }>(
      `/v1/calls/${call.call_id}/transcript`,
    );
    // Simulated time runs a thousand times faster than real time, so the simulated caller may be interrupted. Every text of the agent must come from the
    // workflow.
    const said = transcript.body.turns.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text);
    expect(said).toContain('What is it about?');
    expect(said.filter((text) => !/^(Good morning\.|What is it about\?|You said: .*)$/.test(text))).toEqual([]);
  });

  describe('credentials', () => {
    const organizationOf = async (name: string): Promise<string> =>
      String((await operator.post('/v1/organizations', { name })).body.organization_id);
    const credential = async (
      kind: string,
      provider: string,
      organization_id = customer.organizationId,
    ): Promise<string> => {
      const body = { organization_id, kind, provider, name: kind, secret: 'very-secret-value' };
      return String((await operator.post('/v1/component-credentials', body)).body.component_credential_id);
    };
    const save = (agentId: string, body: object) => customer.api.patch(`/v1/agents/${agentId}/voice-stack`, body);
    const nova = { provider: 'deepgram', model: 'nova-3' };

    it('credential references: a credential of the organization with the required kind and provider publishes; no response contains its id or secret', async () => {
      const stt = await credential('stt', 'deepgram');
      const agentId = await examiner.agent({ language: 'en' });
      const saved = await save(agentId, {
        transcriber: nova,
        languages: ['en'],
        component_credential_bindings: { stt },
      });
      expect([saved.status, saved.body.selectable]).toEqual([200, true]);
      const { agent, stack } = await examiner.reads(agentId);
      expect(JSON.stringify([saved.body, agent, stack])).not.toMatch(
        new RegExp(`${stt}|very-secret-value|component_credential`),
      );
      // Bindings are kept, and a save of other fields does not validate them again.
      expect((await save(agentId, { first_message: 'Hello' })).body.language_profiles).toMatchObject({
        published_version: 2,
      });
    });

    it('credential references: a credential of another kind, provider or organization, and an unknown one, are 400 and change nothing', async () => {
      const wrong = [
        { transcriber: nova, component_credential_bindings: { stt: await credential('llm', 'deepgram') } },
        { transcriber: nova, component_credential_bindings: { stt: await credential('stt', 'assemblyai') } },
        { component_credential_bindings: { stt: await credential('stt', 'deepgram') } },
        {
          transcriber: nova,
          component_credential_bindings: { stt: await credential('stt', 'deepgram', await organizationOf('Foreign')) },
        },
        { transcriber: nova, component_credential_bindings: { stt: 'cred_01m7zdqk0ve00b39zw9x77dj51' } },
      ];
      const agentId = await examiner.agent({ language: 'en' });
      const before = await examiner.reads(agentId);
      for (const body of wrong) {
        const answer = await save(agentId, body);
        expect(code(answer)).toBe('400 BadRequestError');
        expect(answer.body.message).toContain('component_credential_bindings.stt');
      }
      expect(await examiner.reads(agentId)).toEqual(before);
    });

    it('credential references: a component of another provider needs another credential or the platform’s', async () => {
      const tts = await credential('tts', 'elevenlabs');
      const agentId = await examiner.agent({ language: 'en' });
      const voice = { provider: 'elevenlabs', model: 'eleven_flash_v2_5', voice_id: 'v' };
      expect((await save(agentId, { voice, component_credential_bindings: { tts } })).status).toBe(200);
      const other = { provider: 'simulator', model: 'sim-speak-40' };
      const before = await examiner.reads(agentId);
      for (const answer of [
        await save(agentId, { voice: other }),
        await customer.api.patch(`/v1/agents/${agentId}`, { voice: other }),
      ]) {
        expect(code(answer)).toBe('400 BadRequestError');
        expect(answer.body.message).toContain('component_credential_bindings.tts');
      }
      expect(await examiner.reads(agentId)).toEqual(before);
      expect((await save(agentId, { voice: other, component_credential_bindings: { tts: null } })).status).toBe(200);
    });
  });

  describe('secrets of webhook tools', () => {
    const tool = (name: string) => ({
      type: 'webhook',
      name,
      description: 'Looks up.',
      parameters: { type: 'object' },
      url: 'https://example.com/tool',
      method: 'POST',
    });
    const secretsIn = (body: object): readonly string[] =>
      JSON.stringify(body).match(/whsec_[A-Za-z0-9+/=]{44}/g) ?? [];

    it('webhook: a secret is returned once, in the response to the write that added the tool, and kept as long as the tool', async () => {
      const created = await examiner.create({ tools: [tool('a')] });
      expect(secretsIn(created.body)).toHaveLength(1);
      const agentId = String(created.body.agent_id);
      const path = `/v1/agents/${agentId}`;
      const reads = async () =>
        secretsIn([await examiner.reads(agentId), (await customer.api.get('/v1/agents?limit=1')).body]);
      expect(await reads()).toEqual([]);
      const updated = await customer.api.patch(path, { tools: [{ ...tool('a'), timeout_ms: 2000 }, tool('b'), 'c'] });
      expect(updated.body.tools).toMatchObject([{ name: 'a' }, { name: 'b', secret: expect.any(String) }, 'c']);
      expect(secretsIn(updated.body)).toHaveLength(1);
      const saved = await customer.api.patch(`${path}/voice-stack`, { tools: [tool('b'), tool('d')] });
      expect(saved.body.tools).toMatchObject([{ name: 'b' }, { name: 'd', secret: expect.any(String) }]);
      expect(secretsIn(saved.body)).toHaveLength(1);
      const silent = await customer.api.patch(`${path}/voice-stack`, { first_message: 'Hello' });
      expect(silent.body).not.toHaveProperty('tools');
      const again = await customer.api.patch(path, { tools: [tool('a'), tool('b')] });
      expect(secretsIn(again.body)).toHaveLength(1);
      expect(new Set([created, updated, saved, again].flatMap(({ body }) => secretsIn(body))).size).toBe(4);
      expect(await reads()).toEqual([]);
      expect(platform.log).not.toContain('whsec_');
    });

    it('expected_tools stale: tools can be sent back as they were returned, with or without the secret', async () => {
      const created = await examiner.create({ tools: [tool('a')] });
      const path = `/v1/agents/${String(created.body.agent_id)}`;
      const expected_tools = created.body.tools;
      const updated = await customer.api.patch(path, { tools: ['x'], expected_tools });
      expect(updated.body.tools).toEqual(['x']);
      expect(code(await customer.api.patch(path, { tools: ['y'], expected_tools }))).toBe('409 AgentToolsChangedError');
      expect((await customer.api.get(path)).body).toEqual(updated.body);
    });

    it('a replayed creation does not show the secret again', async () => {
      const { organizationId: organization_id, projectId: project_id } = customer;
      const body = { organization_id, project_id, mode: 'hosted', tools: [tool('a')] };
      const ask = () => customer.api.post('/v1/agents', body, { 'idempotency-key': 'tool-secret' });
      expect(secretsIn((await ask()).body)).toHaveLength(1);
      const replay = await ask();
      expect([replay.status, replay.headers['idempotent-replayed'], secretsIn(replay.body)]).toEqual([201, 'true', []]);
    });
  });

  it('concurrent saves of different sections through two gateways: each is applied completely or is 409 and changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...sections], { minLength: 3 }),
        fc.boolean(),
        async (chosen, conditional) => {
          const agentId = await examiner.agent({ language: 'en' });
          const before = await examiner.reads(agentId);
          const headers: Record<string, string> = conditional ? { 'if-match': String(before.etag) } : {};
          const save = async (section: Section) => {
            const path = `/v1/agents/${agentId}${section.via === 'save' ? '/voice-stack' : ''}`;
            return { section, answer: await customer.api.patch(path, section.send, headers) };
          };
          const outcomes = await Promise.all(chosen.map(save));
          const after = await examiner.reads(agentId);
          for (const { section, answer } of outcomes) {
            if (answer.status !== 200) expect(code(answer)).toBe('409 ConflictError');
            expect(section.read(after)).toEqual(answer.status === 200 ? section.saved : section.read(before));
          }
          const won = outcomes.filter(({ answer }) => answer.status === 200).length;
          expect(after.etag).toBe(`"${1 + won}"`);
          expect(won).toBeGreaterThan(0);
          if (conditional) expect(won).toBe(1);
        },
      ),
      { numRuns: 25, seed: 5 },
    );
  });
});
