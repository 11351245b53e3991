import { newId } from '@parley/runtime';
import { AgentsPlatform, operator, type Customer, type Json } from './agents-platform';

const english = { provider: 'simulator', model: 'sim-listen-en' };

describe('publications (docs/reference/voice-stack.md)', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const refused = (pending: Promise<unknown>, status: number, expected: Json = {}) =>
    expect(pending).rejects.toMatchObject({ status, ...expected });

  /** Creates an agent with one publication per body. */
  const published = async (first: Json, ...saves: Json[]): Promise<string> => {
    const agentId = await customer.agent({ language: 'en' });
    await customer.save(agentId, { languages: ['en'], ...first });
    for (const body of saves) await customer.save(agentId, body);
    return agentId;
  };

  /** Everything that a write could change. */
  const standing = async (agentId: string) => [
    await customer.get(agentId),
    await customer.stack(agentId),
    await customer.publications(agentId),
    await customer.forCall(agentId),
  ];

  describe('the list of publications', () => {
    it('is sorted newest first, in pages, and marks the version that calls use', async () => {
      const agentId = await published({}, { system_prompt: 'two' }, { system_prompt: 'three' });
      const first = await customer.publications(agentId, { limit: 2 });
      expect(first.data).toEqual([
        expect.objectContaining({ agent_id: agentId, version: 3, languages: ['en'], current: true }),
        expect.objectContaining({ agent_id: agentId, version: 2, current: false }),
      ]);
      const rest = await customer.publications(agentId, { limit: 2, cursor: first.next_cursor ?? '' });
      expect([rest.data.map(({ version }) => version), rest.next_cursor]).toEqual([[1], null]);
      const { publicationSha256 } = await customer.forCall(agentId);
      expect(first.data[0]?.publication_id).toBe(`pub_${publicationSha256}`);
    });

    it('is empty before the first publication', async () => {
      expect(await customer.publications(await customer.agent())).toEqual({ data: [], next_cursor: null });
    });

    it('returns 404 for an agent of another organization', async () => {
      const agentId = await published({});
      await refused(platform.customer().publications(agentId), 404, { code: 'NotFoundError' });
      await refused(customer.publications(newId('agt')), 404, { code: 'NotFoundError' });
      await refused(customer.publications('no id'), 404, { code: 'NotFoundError' });
    });

    it.each([[{ limit: -1 }], [{ limit: 101 }], [{ cursor: 'x' }]])('returns 400 for %j', async (page) => {
      await refused(customer.publications(await customer.agent(), page), 400, { code: 'BadRequestError' });
    });
  });

  describe('one publication', () => {
    it('is returned with its content, also after later saves', async () => {
      const agentId = await published({ system_prompt: 'one', languages: ['en', 'de'] }, { system_prompt: 'two' });
      expect(await customer.publication(agentId, '1')).toMatchObject({
        version: 1,
        languages: ['en', 'de'],
        current: false,
        content: { system_prompt: 'one', languages: ['en', 'de'], transcriber: { model: 'sim-listen-40' } },
      });
      expect((await customer.publication(agentId, '2', operator)).content.system_prompt).toBe('two');
    });

    it('contains no credential id and no binding', async () => {
      const agentId = await published({ component_credential_bindings: { stt: null } });
      expect(JSON.stringify(await customer.publication(agentId, '1'))).not.toMatch(/binding|cred_/);
    });

    it.each(['0', '2', '-1', '01', '1.0', 'x', '', '99999999999', '2147483648'])(
      'version %j returns 404',
      async (version) => {
        const agentId = await published({});
        await refused(customer.publication(agentId, version), 404, { code: 'NotFoundError' });
        await refused(customer.diff(agentId, version), 404, { code: 'NotFoundError' });
        await refused(customer.restore(agentId, version), 404, { code: 'NotFoundError' });
      },
    );

    it('a publication of another organization returns the same 404 as an unknown agent', async () => {
      const agentId = await published({});
      const other = platform.customer();
      const reasons = await Promise.all(
        [other.publication(agentId, '1'), other.publication(newId('agt'), '1')].map((pending) =>
          pending.catch((error: Error) => JSON.stringify(error)),
        ),
      );
      expect(reasons[0]).toBe(reasons[1]);
      await refused(other.diff(agentId, '1'), 404);
      await refused(other.restore(agentId, '1'), 404);
      expect((await customer.publications(agentId)).data).toHaveLength(1);
    });
  });

  describe('after the first publication, a change of shared settings is published for every language that inherits them', () => {
    const european = { provider: 'simulator', model: 'sim-speak-european', voice_id: 'v1' };
    const own = { provider: 'simulator', model: 'sim-speak-40', voice_id: 'own' };
    const options = { latency_ms: 1 };
    /** The profile en inherits everything; de has its own voice. */
    const optedIn = () =>
      published({ languages: ['en', 'de'], language_profiles: [{ locale: 'de', voice: own, greeting: 'Hallo' }] });

    it.each<[string, 'save' | 'update', Json, Json]>([
      ['the prompt', 'save', { system_prompt: 'renewed' }, { system_prompt: 'renewed' }],
      ['the prompt', 'update', { system_prompt: 'renewed' }, { system_prompt: 'renewed' }],
      ['the first message', 'save', { first_message: 'Hi' }, { first_message: 'Hi' }],
      ['the first message', 'update', { begin_message: 'Hi' }, { first_message: 'Hi' }],
      ['the primary language', 'update', { language: 'de' }, { language: 'de' }],
      [
        'the voice',
        'save',
        { voice: european },
        { profiles: [{ voice: european }, { voice: own, greeting: 'Hallo' }] },
      ],
      ['the voice', 'update', { voice: european }, { profiles: [{ voice: european }, { voice: own }] }],
      [
        'the transcriber',
        'save',
        { transcriber: { provider: 'simulator', model: 'sim-listen-40', options } },
        { profiles: [{ transcriber: { options } }, { transcriber: { options } }] },
      ],
      ['the model', 'save', { model: { provider: 'simulator', model: 'sim-chat', options } }, { model: { options } }],
      ['the engine', 'save', { voice_frontend: 'engine_a_live' }, { voice_frontend: 'engine_a_live', profiles: [] }],
    ])('a change of %s by %s', async (_what, by, body, content) => {
      const agentId = await optedIn();
      const first = await customer.publication(agentId, '1');
      await customer[by](agentId, body);
      expect(await customer.publication(agentId, '2')).toMatchObject({ current: true, content });
      expect((await customer.publication(agentId, '1')).content).toEqual(first.content);
      expect((await customer.forCall(agentId)).publicationVersion).toBe(2);
    });

    it('binding and unbinding a credential each publish a version', async () => {
      const credentialId = newId('cred');
      const { organizationId } = customer;
      platform.credentials.push({ organizationId, credentialId, kind: 'stt', provider: 'simulator' });
      const agentId = await optedIn();
      const versions: number[] = [];
      for (const stt of [credentialId, credentialId, null, null]) {
        const { body } = await customer.save(agentId, { component_credential_bindings: { stt } });
        versions.push(body.language_profiles.published_version);
      }
      expect(versions).toEqual([2, 2, 3, 3]);
    });
  });

  describe('the diff of two publications', () => {
    it('lists the changes with both values, by default against the previous version', async () => {
      const german = { locale: 'de', greeting: 'Hallo' };
      const agentId = await published(
        { system_prompt: 'one' },
        { languages: ['en', 'de'], language_profiles: [german], first_message: 'Hi' },
        { language_profiles: [{ ...german, greeting: 'Guten Tag' }] },
      );
      const second = await customer.diff(agentId, '2');
      expect(second).toMatchObject({ agent_id: agentId, version: 2, against: 1 });
      expect(second.changes).toEqual([
        { change: 'changed', path: '/first_message', before: null, after: 'Hi' },
        { change: 'changed', path: '/languages', before: ['en'], after: ['en', 'de'] },
        { change: 'added', path: '/profiles/de', after: expect.objectContaining(german) },
      ]);
      expect((await customer.diff(agentId, '3')).changes).toEqual([
        { change: 'changed', path: '/profiles/de/greeting', before: 'Hallo', after: 'Guten Tag' },
      ]);
      expect((await customer.diff(agentId, '1', 3)).changes).toContainEqual(
        expect.objectContaining({ change: 'removed', path: '/profiles/de' }),
      );
      expect((await customer.diff(agentId, '2', 2)).changes).toEqual([]);
    });

    it('the first version, or any version against version 0, lists everything as added', async () => {
      const agentId = await published({ system_prompt: 'one' });
      const first = await customer.diff(agentId, '1');
      expect(first.against).toBe(0);
      expect(first.changes).toContainEqual({ change: 'added', path: '/system_prompt', after: 'one' });
      expect(new Set(first.changes.map(({ change }: Json) => change))).toEqual(new Set(['added']));
      expect(await customer.diff(agentId, '1', 0)).toEqual(first);
    });

    it('against a version that does not exist returns 404', async () => {
      await refused(customer.diff(await published({}), '1', 9), 404, { code: 'NotFoundError' });
    });
  });

  describe('restoring a publication', () => {
    it('saves its configuration as the next version, without added defaults; other settings of the agent are kept', async () => {
      const override = { locale: 'de', greeting: 'Hallo' };
      const agentId = await published(
        { languages: ['en', 'de'], language_profiles: [override], system_prompt: 'one' },
        { languages: ['en'], language_profiles: [], system_prompt: 'two', transcriber: english },
      );
      await customer.save(agentId, { turn_taking: { max_call_seconds: 60 }, tools: ['lookup'] });
      await customer.update(agentId, { name: 'renamed' });
      const { body, etag } = await customer.restore(agentId, '1');
      expect(body).toMatchObject({
        system_prompt: 'one',
        transcriber: { model: 'sim-listen-40' },
        turn_taking: { max_call_seconds: 60 },
        language_profiles: { languages: ['en', 'de'], profiles: [override], published_version: 3 },
      });
      expect(await customer.stack(agentId)).toMatchObject({ body, etag });
      expect((await customer.get(agentId)).body).toMatchObject({ name: 'renamed', tools: ['lookup'] });
      // Publications contain no tools, because a call uses the tools at its start.
      expect((await customer.diff(agentId, '3', 1)).changes).toEqual([]);
      expect((await customer.publication(agentId, '3')).content).not.toHaveProperty('tools');
      // Settings that were not chosen are not stored by restoring, so they still follow the default.
      await customer.save(agentId, { languages: ['en'], language_profiles: [] });
      expect((await customer.get(agentId)).body).not.toHaveProperty('voice');
    });

    it('changes nothing if the configuration is already current', async () => {
      const agentId = await published({ system_prompt: 'one' });
      const before = await standing(agentId);
      await customer.restore(agentId, '1');
      expect(await standing(agentId)).toEqual(before);
    });

    it('returns 409 for a stale If-Match, and changes nothing', async () => {
      const agentId = await published({ system_prompt: 'one' }, { system_prompt: 'two' });
      const before = await standing(agentId);
      await refused(customer.restore(agentId, '1', { ifMatch: '"1"' }), 409, { code: 'ConflictError' });
      expect(await standing(agentId)).toEqual(before);
      const { etag } = await customer.stack(agentId);
      expect((await customer.restore(agentId, '1', { ifMatch: etag })).body.system_prompt).toBe('one');
    });

    it('returns 400 with blockers if that version can no longer be published', async () => {
      const agentId = await published({}, { system_prompt: 'two' });
      const admin = await platform.asOwner();
      try {
        // Simulates a version that was compiled with a transcriber which the catalogue no longer has.
        await admin.query({
          text: `update agent_publications set configuration = jsonb_set(configuration::jsonb, '{transcriber}',
                   '{"provider": "gone", "model": "gone"}')::text
                 where organization_id = $1 and agent_id = $2 and version = 1`,
          values: [customer.organizationId, agentId],
        });
      } finally {
        await admin.pool.end();
      }
      const before = await standing(agentId);
      await refused(customer.restore(agentId, '1'), 400, {
        code: 'BadRequestError',
        fields: expect.objectContaining({ reason: 'provider_unknown' }),
      });
      expect(await standing(agentId)).toEqual(before);
    });

    it('concurrent restore and saves: each is applied completely or returns 409', async () => {
      const agentId = await published({ system_prompt: 'one' }, { system_prompt: 'two' });
      const outcomes = await Promise.allSettled([
        customer.restore(agentId, '1'),
        ...Array.from({ length: 6 }, (_, index) =>
          customer.save(agentId, { turn_taking: { max_call_seconds: 61 + index } }),
        ),
      ]);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409, code: 'ConflictError' });
      const { body } = await customer.stack(agentId);
      const restored = outcomes[0]?.status === 'fulfilled';
      expect([body.system_prompt, body.language_profiles.published_version]).toEqual(
        restored ? ['one', 3] : ['two', 2],
      );
    });
  });

  describe('the preview of a save', () => {
    it('returns what the save would return, and stores nothing', async () => {
      const agentId = await published({ system_prompt: 'one' });
      const body = {
        languages: ['en', 'de'],
        voice: { provider: 'simulator', model: 'sim-speak-european' },
        turn_taking: { interruption_sensitivity: 'high' },
        voice_polish: { delivery: 'calm' },
      };
      const before = await standing(agentId);
      const publications = await platform.voiceStack.publications(customer.organizationId);
      const preview = await customer.preview(agentId, body);
      expect(await standing(agentId)).toEqual(before);
      expect(await platform.voiceStack.publications(customer.organizationId)).toBe(publications);
      expect(preview).toMatchObject({
        publishes: true,
        blockers: [],
        cost: { total: 30 },
        latency: { total: 360 },
        publication: { languages: ['en', 'de'], voice: { model: 'sim-speak-european', voice_id: 'sim-eva' } },
        effective: {
          profile: { locale: 'en' },
          interruption_threshold_ms: 150,
          voice_polish: {
            delivery: { chosen: 'calm', voices: [{ delivery_control: 'voice_settings', value: { stability: 0.75 } }] },
          },
          navigation: { active: true },
        },
      });
      const { body: saved } = await customer.save(agentId, body);
      const { published_at: _then, ...profiles } = preview.voice_stack.language_profiles;
      expect(saved).toMatchObject({ ...preview.voice_stack, language_profiles: profiles });
      expect((await customer.publication(agentId, '2')).content).toEqual(preview.publication);
    });

    it('returns every blocker for which the save would fail', async () => {
      const agentId = await published({});
      const body = { languages: ['en', 'tlh'], voice: { provider: 'elevenlabs', model: 'eleven_flash_v2_5' } };
      const before = await standing(agentId);
      const { publishes, blockers, voice_stack: stack } = await customer.preview(agentId, body);
      expect([publishes, stack.selectable]).toEqual([true, false]);
      await refused(customer.save(agentId, body), 400, {
        fields: { language: 'tlh', reason: blockers[0].code, blockers },
      });
      expect(await standing(agentId)).toEqual(before);
    });

    it('returns the blockers of an agent without languages, whose save would not publish', async () => {
      const agentId = await customer.agent({ language: 'en' });
      const body = { transcriber: { provider: 'deepgram', model: 'nova-3' } };
      expect(await customer.preview(agentId, body)).toMatchObject({
        publishes: false,
        blockers: [{ code: 'credential_missing', scope: 'credential:stt' }],
        voice_stack: { transcriber: { provider: 'deepgram' }, selectable: false },
      });
      expect(await customer.preview(agentId, {})).toMatchObject({
        publishes: false,
        blockers: [],
        voice_stack: (await customer.stack(agentId)).body,
      });
    });

    it.each<[string, Json, number, string]>([
      ['a field out of bounds', { turn_taking: { max_call_seconds: 59 } }, 400, 'BadRequestError'],
      ['a rule across fields', { follow_caller: { enabled: true } }, 400, 'BadRequestError'],
      ['navigation without enabled', { navigation: {} }, 400, 'navigation_enabled_required'],
      ['a stale revision', { language_profile_revision: 9 }, 409, 'ConflictError'],
      ['other tools', { tools: [], expected_tools: ['x'] }, 409, 'AgentToolsChangedError'],
    ])('rejects %s like the save', async (_title, body, status, code) => {
      const agentId = await published({});
      await refused(customer.preview(agentId, body), status, { code });
      await refused(customer.save(agentId, body), status, { code });
    });

    it('returns 404 for an agent of another organization, and 403 for a foreign project in the body', async () => {
      const agentId = await published({});
      await refused(platform.customer().preview(agentId, {}), 404, { code: 'NotFoundError' });
      await refused(customer.preview(agentId, { project_id: newId('prj') }), 403, { code: 'ForbiddenError' });
    });
  });

  it('the database role of the service cannot change the configuration of a publication', async () => {
    const change = `update agent_publications set configuration = '{}' where organization_id = $1`;
    await expect(platform.rows(change, [customer.organizationId])).rejects.toMatchObject({ code: '42501' });
  });
});
