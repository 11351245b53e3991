import { newId, serviceCaller, type Database, type Queryable, type Statement } from '@parley/runtime';
import { refreshProjections } from '../src/agents/refresh-projections';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

/** Fails the next statement of a given name, to simulate a process that dies before its commit. */
class Saboteur {
  statement: string | undefined;

  wrap = (db: Database): Database => ({
    pool: db.pool,
    query: (statement) => this.run(db, statement),
    transaction: (work) => db.transaction((tx) => work({ query: (statement) => this.run(tx, statement) })),
  });

  private run<R>(db: Queryable, statement: Statement): Promise<{ rows: R[]; rowCount: number }> {
    if (statement.name === undefined || statement.name !== this.statement) return db.query<R>(statement);
    this.statement = undefined;
    return Promise.reject(new Error('the connection was lost'));
  }
}

const english = { provider: 'simulator', model: 'sim-listen-en' };

describe('the voice stack', () => {
  const saboteur = new Saboteur();
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start(saboteur.wrap);
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const refused = (pending: Promise<unknown>, status: number, expected: Json) =>
    expect(pending).rejects.toMatchObject({ status, ...expected });

  const history = (agentId: string) =>
    platform.rows(
      'select version, sha256 from agent_publications where organization_id = $1 and agent_id = $2 order by version',
      [customer.organizationId, agentId],
    );

  describe('read (docs/reference/voice-stack.md#read)', () => {
    it('returns required fields, defaults and no optional sections for an agent without settings', async () => {
      const { body } = await customer.stack(await customer.agent({ language: 'en' }));
      expect(body).toMatchObject({
        language: 'en',
        voice_frontend: 'cascade',
        transcriber: { provider: 'simulator', model: 'sim-listen-40' },
        model: { provider: 'simulator', model: 'sim-chat' },
        voice: { provider: 'simulator', model: 'sim-speak-40', voice_id: 'sim-anna', delivery_control: 'speed' },
        cost: { total: 30 },
        latency: { total: 350 },
        selectable: true,
        warnings: [],
        opening: { first_speaker: 'callee', silence_wait_seconds: 2 },
        navigation: {
          enabled: null,
          effective: true,
          max_hold_seconds: 600,
          max_navigation_seconds: 180,
          eligible: true,
          ineligible_reason: null,
        },
      });
      for (const absent of [
        'turn_taking',
        'voice_polish',
        'answer_detection',
        'audio_environment',
        'follow_caller',
        'component_credential_bindings',
      ]) {
        expect(body).not.toHaveProperty(absent);
      }
    });

    it('contains no credential and no id of a bound credential', async () => {
      const agentId = await customer.agent();
      const { body } = await customer.save(agentId, {
        component_credential_bindings: { stt: null, llm: null, tts: null },
      });
      expect(JSON.stringify(body)).not.toMatch(/binding|cred_/);
    });
  });

  describe('save (docs/reference/voice-stack.md)', () => {
    it('a save with languages publishes; tuning never does; compiled settings do from then on', async () => {
      const agentId = await customer.agent({ language: 'en' });
      const version = async (body: Json): Promise<number> =>
        (await customer.save(agentId, body)).body.language_profiles.published_version;
      expect(await version({ system_prompt: 'before the opt-in' })).toBe(0);
      expect(await version({ languages: ['en', 'de'] })).toBe(1);
      expect(await version({ opening: { first_speaker: 'agent' } })).toBe(1);
      expect(await version({ turn_taking: { max_call_seconds: 600 } })).toBe(1);
      expect(await version({ tools: ['lookup'] })).toBe(1);
      expect(await version({ navigation: { enabled: false } })).toBe(1);
      expect(await version({ first_message: 'Hello' })).toBe(2);
      expect(await version({ first_message: 'Hello' })).toBe(2);
      expect(await version({ language_profiles: [{ locale: 'de', greeting: 'Hallo' }] })).toBe(3);
      expect(await version({ follow_caller: { enabled: true } })).toBe(4);
      expect(await version({ transcriber: { provider: 'simulator', model: 'sim-listen-40' } })).toBe(5);
      await customer.update(agentId, { name: 'renamed' });
      expect((await customer.stack(agentId)).body.language_profiles.published_version).toBe(5);
      await customer.update(agentId, { system_prompt: 'from the generic update' });
      const { body } = await customer.stack(agentId);
      expect(body.language_profiles).toMatchObject({
        published_version: 6,
        published_at: body.language_profiles.published_at,
        published_languages: ['en', 'de'],
        published_follow_caller: { enabled: true, scope: 'selected' },
        published_starting_language: 'en',
      });
      expect(new Date(body.language_profiles.published_at).toISOString()).toBe(body.language_profiles.published_at);
      expect((await history(agentId)).map((row) => row.version)).toEqual([1, 2, 3, 4, 5, 6]);
    });

    it('languages set at creation are published by the first save that contains them, changed or not', async () => {
      const agentId = await customer.agent({ languages: ['en', 'de'] });
      const { body } = await customer.save(agentId, { languages: ['en', 'de'] });
      expect(body.language_profiles).toMatchObject({ published_version: 1, revision: 1 });
    });

    it('a save that cannot be published returns 400 with language, reason and blockers, and changes nothing', async () => {
      const agentId = await customer.agent({ language: 'en' });
      await customer.save(agentId, { languages: ['en'] });
      const before = [await customer.get(agentId), await customer.stack(agentId)];
      await refused(customer.save(agentId, { languages: ['en', 'tlh'], turn_taking: { max_call_seconds: 60 } }), 400, {
        code: 'BadRequestError',
        fields: {
          language: 'tlh',
          reason: 'language_not_supported',
          blockers: [expect.objectContaining({ scope: 'language:tlh' })],
        },
      });
      await refused(customer.save(agentId, { voice: { provider: 'elevenlabs', model: 'eleven_flash_v2_5' } }), 400, {
        fields: expect.objectContaining({ reason: 'voice_id_missing' }),
      });
      await refused(customer.update(agentId, { voice: { provider: 'unknown', model: 'x' } }), 400, {
        fields: expect.objectContaining({ reason: 'provider_unknown' }),
      });
      expect([await customer.get(agentId), await customer.stack(agentId)]).toEqual(before);
      expect(await history(agentId)).toHaveLength(1);
    });

    it('a component without an account can be saved before the first publication; selectable is false', async () => {
      const agentId = await customer.agent({ language: 'en' });
      const { body } = await customer.save(agentId, { transcriber: { provider: 'deepgram', model: 'nova-3' } });
      expect(body).toMatchObject({
        transcriber: { provider: 'deepgram' },
        selectable: false,
        cost: { transcriber: 5800 },
      });
    });

    it('a bound credential does not apply to a language with another provider', async () => {
      const credentialId = newId('cred');
      const { organizationId } = customer;
      platform.credentials.push({ organizationId, credentialId, kind: 'tts', provider: 'elevenlabs' });
      const voice = { provider: 'elevenlabs', model: 'eleven_flash_v2_5', voice_id: 'v1' };
      const agentId = await customer.agent({ language: 'en' });
      const bound = { voice, component_credential_bindings: { tts: credentialId }, languages: ['en', 'de'] };
      expect((await customer.save(agentId, bound)).body.language_profiles.published_version).toBe(1);
      const profile = (provider: string, model: string) => ({
        language_profiles: [{ locale: 'de', voice: { provider, model, voice_id: 'v2' } }],
      });
      const before = await customer.stack(agentId);
      await refused(customer.save(agentId, profile('cartesia', 'sonic-3')), 400, {
        fields: expect.objectContaining({
          reason: 'credential_missing',
          blockers: [expect.objectContaining({ scope: 'credential:tts', detail: expect.stringContaining('cartesia') })],
        }),
      });
      expect(await customer.stack(agentId)).toEqual(before);
      await customer.save(agentId, profile('elevenlabs', 'eleven_turbo_v2_5'));
      await customer.save(agentId, profile('simulator', 'sim-speak-40'));
      const { body } = await customer.stack(agentId);
      expect(body.language_profiles.published_version).toBe(3);
      expect(JSON.stringify(body)).not.toContain(credentialId);
    });

    it('a bound credential that was deleted is a blocker for calls', async () => {
      const credentialId = newId('cred');
      const { organizationId } = customer;
      platform.credentials.push({ organizationId, credentialId, kind: 'stt', provider: 'deepgram' });
      const agentId = await customer.agent({ language: 'en' });
      await customer.save(agentId, {
        transcriber: { provider: 'deepgram', model: 'nova-3' },
        component_credential_bindings: { stt: credentialId },
      });
      expect((await customer.forCall(agentId)).blockers).toEqual([]);
      platform.credentials.splice(0);
      expect((await customer.forCall(agentId)).blockers).toMatchObject([
        { code: 'credential_missing', scope: 'credential:stt' },
      ]);
    });

    it.each([
      ['languages', { languages: ['en'] }],
      ['language_profiles', { language_profiles: [] }],
      ['follow_caller', { follow_caller: { enabled: false } }],
    ])('rejects %s for an engine without languages, stored or in the same request', async (field, body) => {
      const agentId = await customer.agent();
      const named = { code: 'BadRequestError', message: expect.stringMatching(new RegExp(`${field}.*engine_b_live`)) };
      await refused(customer.save(agentId, { voice_frontend: 'engine_b_live', ...body }), 400, named);
      await customer.save(agentId, { voice_frontend: 'engine_b_live' });
      await refused(customer.save(agentId, body), 400, named);
      expect(
        (await customer.save(agentId, { voice_frontend: 'cascade', languages: ['en'] })).body.language_profiles
          .languages,
      ).toEqual(['en']);
    });

    it('stored languages are kept without effect under an engine without languages', async () => {
      const agentId = await customer.agent({ languages: ['en', 'de'], follow_caller: { enabled: true } });
      const { body } = await customer.save(agentId, { voice_frontend: 'engine_a_live' });
      expect(body.language_profiles).toMatchObject({
        languages: ['en', 'de'],
        published_version: 1,
        published_languages: [],
        published_follow_caller: null,
      });
      expect(body.navigation).toMatchObject({ effective: false, ineligible_reason: 'engine_not_supported' });
    });

    it('follow_caller with scope selected requires two languages and one transcriber for all of them', async () => {
      const agentId = await customer.agent({ language: 'en' });
      await refused(customer.save(agentId, { follow_caller: { enabled: true } }), 400, {
        code: 'BadRequestError',
        fields: {},
      });
      await refused(
        customer.save(agentId, { languages: ['en', 'de'], transcriber: english, follow_caller: { enabled: true } }),
        400,
        {
          fields: expect.objectContaining({ reason: 'shared_transcriber_missing' }),
        },
      );
      const { body } = await customer.save(agentId, { languages: ['en', 'de'], follow_caller: { enabled: true } });
      expect(body.follow_caller).toEqual({ enabled: true, scope: 'selected' });
      await refused(customer.save(agentId, { languages: ['en'] }), 400, { code: 'BadRequestError' });
      expect((await customer.save(agentId, { follow_caller: null })).body).not.toHaveProperty('follow_caller');
    });

    it('follow_caller with scope all publishes every language that the stack can follow', async () => {
      const agentId = await customer.agent({ language: 'en' });
      const all = { languages: ['en', 'de'], follow_caller: { enabled: true, scope: 'all' } };
      expect((await customer.save(agentId, all)).body.language_profiles.published_languages).toHaveLength(32);
      const { body } = await customer.save(agentId, {
        ...all,
        voice: { provider: 'simulator', model: 'sim-speak-european' },
      });
      expect(body.language_profiles.published_languages).toHaveLength(10);
      expect(body.language_profiles.languages).toEqual(['en', 'de']);
    });

    it('a section is replaced as a whole, kept if omitted, and reset by null or an empty object', async () => {
      const agentId = await customer.agent();
      await customer.save(agentId, {
        turn_taking: { max_call_seconds: 600, min_speech_ms: 300 },
        opening: { silence_wait_seconds: 3 },
      });
      const { body: replaced } = await customer.save(agentId, { turn_taking: { max_call_seconds: 700 } });
      expect(replaced.turn_taking).toEqual({ max_call_seconds: 700 });
      expect(replaced.opening).toEqual({ first_speaker: 'callee', silence_wait_seconds: 3 });
      const { body: reset } = await customer.save(agentId, { turn_taking: null, opening: {} });
      expect(reset).not.toHaveProperty('turn_taking');
      expect(reset.opening).toEqual({ first_speaker: 'callee', silence_wait_seconds: 2 });
    });

    it('navigation limits are checked against max_call_seconds on changes of either section', async () => {
      const agentId = await customer.agent();
      const before = async () => (await customer.stack(agentId)).etag;
      await refused(customer.save(agentId, { navigation: { enabled: true, max_hold_seconds: 1741 } }), 400, {
        message: expect.stringContaining('navigation.max_hold_seconds'),
      });
      await customer.save(agentId, { navigation: { enabled: true, max_hold_seconds: 900 } });
      const etag = await before();
      await refused(customer.save(agentId, { turn_taking: { max_call_seconds: 899 } }), 400, {
        message: expect.stringContaining('turn_taking.max_call_seconds'),
      });
      expect(await before()).toBe(etag);
      await customer.save(agentId, { turn_taking: { max_call_seconds: 900 } });
      await customer.save(agentId, { navigation: { enabled: false, max_hold_seconds: 3600 } });
      await refused(customer.save(agentId, { navigation: { enabled: true, max_hold_seconds: 3600 } }), 400, {
        code: 'BadRequestError',
      });
      await refused(customer.save(agentId, { navigation: { enabled: null, max_hold_seconds: 901 } }), 400, {
        code: 'BadRequestError',
      });
    });

    it.each([[{}], [null], [{ max_hold_seconds: 20 }]])(
      'navigation %j returns navigation_enabled_required',
      async (navigation) => {
        await refused(customer.save(await customer.agent(), { navigation }), 400, {
          code: 'navigation_enabled_required',
        });
      },
    );

    it('a credential that does not exist returns 400; null selects the account of the platform', async () => {
      const agentId = await customer.agent();
      await refused(customer.save(agentId, { component_credential_bindings: { stt: 'cred_1' } }), 400, {
        message: expect.stringContaining('stt'),
      });
      expect((await customer.save(agentId, { component_credential_bindings: { stt: null } })).body.selectable).toBe(
        true,
      );
    });
  });

  describe('conflicts', () => {
    it('a stale language_profile_revision returns 409; the current one is accepted and incremented', async () => {
      const agentId = await customer.agent({ language: 'en' });
      const { body } = await customer.save(agentId, { languages: ['en'], language_profile_revision: 0 });
      expect(body.language_profiles.revision).toBe(1);
      await refused(customer.save(agentId, { languages: ['en', 'de'], language_profile_revision: 0 }), 409, {
        code: 'ConflictError',
      });
      expect((await customer.stack(agentId)).body).toEqual(body);
      expect(
        (await customer.save(agentId, { languages: ['en', 'de'], language_profile_revision: 1 })).body.language_profiles
          .revision,
      ).toBe(2);
    });

    it('a stale expected_tools and a stale If-Match return 409', async () => {
      const agentId = await customer.agent({ tools: ['a'] });
      await refused(customer.save(agentId, { opening: { first_speaker: 'agent' } }, { ifMatch: '"9"' }), 409, {
        code: 'ConflictError',
      });
      await refused(customer.save(agentId, { tools: ['b'], expected_tools: [] }), 409, {
        code: 'AgentToolsChangedError',
      });
      expect((await customer.stack(agentId)).etag).toBe('"1"');
    });

    it('20 concurrent saves of different sections: each is applied completely or returns 409', async () => {
      const agentId = await customer.agent({ language: 'en' });
      await customer.save(agentId, { languages: ['en'] });
      const read = async () => {
        const [{ body: agent, etag }, { body: stack }] = [await customer.get(agentId), await customer.stack(agentId)];
        const values = [agent.tools[0], agent.first_message, stack.turn_taking?.max_call_seconds];
        return {
          values: [...values, Object.keys(agent.metadata)[0]],
          etag,
          version: stack.language_profiles.published_version,
        };
      };
      const before = await read();
      const saves = Array.from({ length: 20 }, (_, index) => async () => {
        const field = `field_${index}`;
        if (index % 4 === 0) await customer.update(agentId, { tools: [field] });
        else if (index % 4 === 1) await customer.save(agentId, { first_message: field });
        else if (index % 4 === 2) await customer.save(agentId, { turn_taking: { max_call_seconds: 100 + index } });
        else await customer.update(agentId, { metadata: { [field]: true } });
        return index;
      });
      const outcomes = await Promise.allSettled(saves.map((save) => save()));
      const survived = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409, code: 'ConflictError' });
      // At least the first commit succeeds.
      expect(survived).not.toEqual([]);
      const after = await read();
      expect(after.etag).toBe(`"${2 + survived.length}"`);
      [0, 1, 2, 3].forEach((kind) => {
        const ofKind = survived.filter((index) => index % 4 === kind);
        const saved = ofKind.map((index) => (kind === 2 ? 100 + index : `field_${index}`));
        // If every save of a section failed, the section is unchanged.
        expect(saved.length > 0 ? saved : [before.values[kind]]).toContain(after.values[kind]);
      });
      const published = survived.filter((index) => index % 4 === 1).length;
      expect(after.version).toBe(1 + published);
      expect(await history(agentId)).toHaveLength(after.version);
    });

    it('a crash before the commit leaves only an unreferenced publication', async () => {
      const other = platform.customer();
      const agentId = await other.agent({ language: 'en' });
      const before = [await other.get(agentId), await other.stack(agentId)];
      saboteur.statement = 'agent-change';
      await refused(other.save(agentId, { languages: ['en'] }), 500, { code: 'internal_error' });
      expect([await other.get(agentId), await other.stack(agentId)]).toEqual(before);
      expect(
        await platform.rows('select version from agent_publications where organization_id = $1', [
          other.organizationId,
        ]),
      ).toEqual([]);
      expect(await platform.voiceStack.publications(other.organizationId)).toBe(1);
      expect((await other.save(agentId, { languages: ['en'] })).body.language_profiles.published_version).toBe(1);
      expect(await platform.voiceStack.publications(other.organizationId)).toBe(1);
    });

    it('the database role of the service cannot change or delete publications', async () => {
      await expect(
        platform.rows('delete from agent_publications where organization_id = $1', ['x']),
      ).rejects.toMatchObject({ code: '42501' });
      await expect(
        platform.rows('update agent_publications set version = 9 where organization_id = $1', ['x']),
      ).rejects.toMatchObject({ code: '42501' });
    });
  });

  it('refreshProjections recomputes a projection of another catalogue version, and the ETag changes', async () => {
    const agentId = await customer.agent({ language: 'en' });
    const { body } = await customer.stack(agentId);
    await platform.rows(
      `update agents set catalogue_version = 'older', voice_stack_view = '{}' where organization_id = $1 and agent_id = $2 returning 1`,
      [customer.organizationId, agentId],
    );
    expect(await refreshProjections(platform.dependencies, { requestId: 'test', caller: serviceCaller })).toBe(1);
    expect(await customer.stack(agentId)).toMatchObject({ body, etag: '"2"' });
    expect(await refreshProjections(platform.dependencies, { requestId: 'test', caller: serviceCaller })).toBe(0);
  });

  describe('GetAgentForCall', () => {
    it('returns the current publication and tuning', async () => {
      const agentId = await customer.agent({ language: 'de', tools: ['lookup'], recording_enabled: true });
      await customer.save(agentId, { languages: ['de', 'en'], opening: { first_speaker: 'agent' } });
      const call = await customer.forCall(agentId);
      const [published] = await history(agentId);
      expect(call).toMatchObject({
        agentId,
        organizationId: customer.organizationId,
        projectId: customer.projectId,
        status: 'active',
        mode: 'hosted',
        language: 'de',
        recordingEnabled: true,
        publicationVersion: 1,
        publicationSha256: published?.sha256,
        blockers: [],
      });
      expect(JSON.parse(call.tuning?.json.toString() ?? '')).toEqual({
        opening: { first_speaker: 'agent' },
        navigation_ineligible_reason: null,
        tools: ['lookup'],
        recording_enabled: true,
      });
    });

    it('compiles an agent that was never published, or returns its blockers', async () => {
      const agentId = await customer.agent({ language: 'en' });
      const first = await customer.forCall(agentId);
      expect(first).toMatchObject({ publicationVersion: 0, blockers: [] });
      expect(first.publicationSha256).toMatch(/^[0-9a-f]{64}$/);
      expect((await customer.forCall(agentId)).publicationSha256).toBe(first.publicationSha256);
      await customer.save(agentId, { transcriber: { provider: 'deepgram', model: 'nova-3' } });
      expect(await customer.forCall(agentId)).toMatchObject({
        publicationVersion: 0,
        blockers: [{ code: 'credential_missing', scope: 'credential:stt' }],
      });
    });
  });
});
