import { newId } from '@parley/runtime';
import { AgentsPlatform, operator, type Customer, type Json } from './agents-platform';

describe('agents', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const refused = (pending: Promise<unknown>, status: number, code: string, message = '') =>
    expect(pending).rejects.toMatchObject({ status, code, message: expect.stringContaining(message) });

  describe('create (docs/reference/agents.md)', () => {
    it('returns what it stored, and GET returns the same body', async () => {
      const created = await customer.create({
        name: 'Reception',
        language: 'en',
        system_prompt: 'Be kind.',
        metadata: { team: 'a' },
      });
      expect(created).toMatchObject({ etag: '"1"', replayed: false });
      expect(created.body).toMatchObject({
        mode: 'hosted',
        status: 'active',
        name: 'Reception',
        tools: [],
        recording_enabled: false,
        metadata: { team: 'a' },
      });
      expect(created.body.created_at).toBe(created.body.updated_at);
      expect(new Date(created.body.created_at).toISOString()).toBe(created.body.created_at);
      expect(await customer.get(created.body.agent_id)).toEqual(created);
    });

    it('answers_messages is omitted until it is set, is part of the settings of a call, and is rejected in mode external_audio', async () => {
      const agentId = await customer.agent({});
      const tuning = async () => {
        const { tuning: document } = await customer.forCall(agentId);
        return JSON.parse(document?.json.toString('utf8') ?? '{}') as Record<string, unknown>;
      };
      expect((await customer.get(agentId)).body).not.toHaveProperty('answers_messages');
      expect(await tuning()).not.toHaveProperty('answers_messages');
      expect((await customer.update(agentId, { answers_messages: true })).body.answers_messages).toBe(true);
      expect(await tuning()).toMatchObject({ answers_messages: true });
      const refused = { status: 400, fields: { errors: [{ path: 'answers_messages', code: 'not_allowed' }] } };
      await expect(customer.update(agentId, { mode: 'external_audio' })).rejects.toMatchObject(refused);
      await expect(customer.create({ mode: 'external_audio', answers_messages: true })).rejects.toMatchObject(refused);
      expect((await customer.update(agentId, { answers_messages: false })).body.answers_messages).toBe(false);
      expect(await tuning()).not.toHaveProperty('answers_messages');
    });

    it('publishes nothing, with or without languages', async () => {
      const agentId = await customer.agent({ languages: ['en', 'de'], follow_caller: { enabled: true } });
      const { body } = await customer.stack(agentId);
      expect(body.language_profiles).toEqual({
        languages: ['en', 'de'],
        profiles: [],
        published_version: 0,
        published_at: '',
        published_languages: [],
        published_follow_caller: null,
        published_starting_language: '',
        revision: 0,
      });
      expect(body.follow_caller).toEqual({ enabled: true, scope: 'selected' });
    });

    it('the returned agent can be sent back unchanged', async () => {
      const { body } = await customer.create({
        languages: ['en', 'de'],
        follow_caller: { enabled: true },
        opening: { first_speaker: 'agent' },
        metadata: { navigation: { enabled: true, max_hold_seconds: 300 }, note: 'x' },
        voice: { provider: 'simulator', model: 'sim-speak-40' },
      });
      const { body: updated, etag } = await customer.update(body.agent_id, body);
      expect(updated).toEqual(body);
      expect(etag).toBe('"1"');
    });

    it.each([
      ['languages', { languages: ['en'] }],
      ['language_profiles', { language_profiles: [] }],
      ['follow_caller', { follow_caller: { enabled: false } }],
    ])('rejects %s for an engine without languages, naming field and engine', async (field, body) => {
      await refused(customer.create({ voice_frontend: 'engine_a_live', ...body }), 400, 'BadRequestError', field);
      await refused(
        customer.create({ voice_frontend: 'engine_a_live', ...body }),
        400,
        'BadRequestError',
        'engine_a_live',
      );
    });

    it.each<[string, Json, string]>([
      ['follow_caller with one language', { follow_caller: { enabled: true }, languages: ['en'] }, 'BadRequestError'],
      [
        'follow_caller with no language and scope all',
        { follow_caller: { enabled: true, scope: 'all' } },
        'BadRequestError',
      ],
      ['a duplicate language', { languages: ['de', 'DE'] }, 'BadRequestError'],
      ['an invalid language code', { language: '12' }, 'BadRequestError'],
      ['a duplicate locale', { language_profiles: [{ locale: 'de' }, { locale: 'de' }] }, 'BadRequestError'],
      ['two different first messages', { first_message: 'a', begin_message: 'b' }, 'BadRequestError'],
      ['two tools with one name', { tools: ['a', 'a'] }, 'BadRequestError'],
      ['a reserved tool name', { tools: ['press_digits'] }, 'BadRequestError'],
      ['turn_taking', { turn_taking: {} }, 'BadRequestError'],
      ['an empty navigation', { metadata: { navigation: {} } }, 'navigation_enabled_required'],
      [
        'a hold limit longer than the longest call',
        { metadata: { navigation: { enabled: true, max_hold_seconds: 1741 } } },
        'BadRequestError',
      ],
    ])('rejects %s and creates nothing', async (_title, body, code) => {
      const other = platform.customer();
      await refused(other.create(body), 400, code);
      expect((await other.list()).data).toEqual([]);
    });

    it('accepts begin_message, a string as voice and strings as tools', async () => {
      const { body } = await customer.create({ begin_message: 'Hello', voice: 'nova', tools: ['lookup'] });
      expect(body).toMatchObject({ first_message: 'Hello', voice: 'nova', tools: ['lookup'] });
      expect((await customer.stack(body.agent_id)).body).toMatchObject({
        voice: { voice_id: 'nova' },
        voice_label: 'nova',
      });
    });

    it('concurrent requests with one Idempotency-Key create one agent; a different body returns 409', async () => {
      const other = platform.customer();
      const answers = await Promise.all(Array.from({ length: 8 }, () => other.create({ name: 'once' }, 'key-1')));
      expect(new Set(answers.map(({ body }) => body.agent_id)).size).toBe(1);
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect((await other.list()).data).toHaveLength(1);
      await refused(other.create({ name: 'twice' }, 'key-1'), 409, 'ConflictError');
    });

    it('a used Idempotency-Key is checked before the fields, a new one after them', async () => {
      await customer.create({ name: 'once' }, 'key-2');
      await refused(customer.create({ name: 1 }, 'key-2'), 409, 'ConflictError');
      await refused(customer.create({ name: 1 }, 'key-3'), 400, 'BadRequestError');
    });

    it('appends one audit event per created agent, with its creation time, and none for a replay', async () => {
      const other = platform.customer();
      const alone = await other.create();
      const [first, second] = await Promise.all([other.create({}, 'key-4'), other.create({}, 'key-4')]);
      expect(second.body).toEqual(first.body);
      const rows = await platform.rows('select payload from outbox where subject = $1 order by position', [
        `audit.v1.${other.organizationId}`,
      ]);
      const acts = rows.map(({ payload }) => JSON.parse(String(payload)) as Json);
      expect(acts.map(({ action, subject, created_at }) => ({ action, subject, created_at }))).toEqual(
        [alone, first].map(({ body }) => ({
          action: 'agent.created',
          subject: body.agent_id,
          created_at: body.created_at,
        })),
      );
    });

    it('returns 403 for a body that names another organization', async () => {
      await refused(customer.create({ organization_id: newId('org') }), 403, 'ForbiddenError');
    });
  });

  describe('agents of other organizations', () => {
    it('reading one returns the same 404 as an id that does not exist', async () => {
      const foreign = await platform.customer().agent();
      const absent = newId('agt');
      for (const read of [
        (id: string) => customer.get(id),
        (id: string) => customer.stack(id),
        (id: string) => customer.forCall(id),
      ]) {
        const answers = await Promise.all(
          [foreign, absent, 'agt_1', "'; drop"].map((id) => read(id).catch((error: unknown) => error)),
        );
        for (const answer of answers)
          expect(answer).toMatchObject({ status: 404, code: 'NotFoundError', message: (answers[0] as Error).message });
      }
    });

    it('writes return 403 for a foreign id and 404 for one that does not exist, whatever the body', async () => {
      const foreign = await platform.customer().agent();
      for (const write of [
        (id: string) => customer.update(id, { name: 1 }),
        (id: string) => customer.save(id, { languages: 1 }),
      ]) {
        await refused(write(foreign), 403, 'ForbiddenError');
        await refused(write(newId('agt')), 404, 'NotFoundError');
        await refused(write('nonsense'), 404, 'NotFoundError');
      }
      expect((await customer.get(await customer.agent())).etag).toBe('"1"');
    });

    it('a body may name the organization and project of the agent; others return 403', async () => {
      const agentId = await customer.agent();
      const own = { organization_id: customer.organizationId, project_id: customer.projectId };
      expect((await customer.update(agentId, { ...own, name: 'a' })).body.name).toBe('a');
      await refused(customer.update(agentId, { ...own, project_id: newId('prj'), name: 'b' }), 403, 'ForbiddenError');
      await refused(customer.save(agentId, { organization_id: newId('org'), language: 'de' }), 403, 'ForbiddenError');
      expect((await customer.get(agentId)).body.name).toBe('a');
    });

    it('an operator who names no organization can read and change any agent', async () => {
      const agentId = await customer.agent();
      expect((await customer.get(agentId, operator)).body.organization_id).toBe(customer.organizationId);
      expect((await customer.update(agentId, { name: 'by operator' }, operator)).body.name).toBe('by operator');
      await refused(customer.get(newId('agt'), operator), 404, 'NotFoundError');
      await refused(customer.get(agentId, { ...operator, organizationId: newId('org') }), 404, 'NotFoundError');
    });
  });

  describe('update (docs/reference/agents.md#update)', () => {
    it.each<[string, Json]>([
      ['opening', { opening: {} }],
      ['turn_taking', { turn_taking: {} }],
      ['voice_polish', { voice_polish: {} }],
      ['answer_detection', { answer_detection: {} }],
      ['navigation', { navigation: { enabled: true } }],
      ['audio_environment', { audio_environment: { preset: 'none' } }],
      ['follow_caller', { follow_caller: { enabled: false } }],
      ['languages', { languages: ['en'] }],
      ['language_profiles', { language_profiles: [] }],
    ])('rejects %s with a reference to the voice-stack route', async (_field, body) => {
      await refused(
        customer.update(await customer.agent(), body),
        400,
        'BadRequestError',
        'PATCH /v1/agents/{agent_id}/voice-stack',
      );
    });

    it('expected_tools that differ return AgentToolsChangedError and change nothing', async () => {
      const agentId = await customer.agent({ tools: ['a', { type: 'builtin', name: 'end_call' }] });
      const { body, etag } = await customer.get(agentId);
      await refused(customer.update(agentId, { tools: [], expected_tools: ['a'] }), 409, 'AgentToolsChangedError');
      expect(await customer.get(agentId)).toMatchObject({ body, etag });
      expect((await customer.update(agentId, { tools: ['b'], expected_tools: body.tools })).body.tools).toEqual(['b']);
      expect((await customer.update(agentId, { expected_tools: ['unknown'], name: 'x' })).body.name).toBe('x');
    });

    it('metadata is replaced, but its sections are kept if omitted', async () => {
      const agentId = await customer.agent({
        opening: { first_speaker: 'agent' },
        metadata: { a: 1, navigation: { enabled: false } },
      });
      const { body } = await customer.update(agentId, { metadata: { b: 2 } });
      expect(body.metadata).toEqual({ b: 2, opening: { first_speaker: 'agent' }, navigation: { enabled: false } });
    });

    it.each<[string, Json, boolean]>([
      ['the opening as stored', { opening: { first_speaker: 'agent' } }, true],
      ['the opening with an explicit default', { opening: { first_speaker: 'agent', silence_wait_seconds: 2 } }, true],
      ['another opening', { opening: { first_speaker: 'callee' } }, false],
      ['an empty opening', { opening: {} }, false],
      ['a malformed opening', { opening: 'agent' }, false],
      [
        'the navigation as read',
        {
          navigation: {
            enabled: true,
            max_hold_seconds: 300,
            effective: true,
            eligible: true,
            ineligible_reason: null,
          },
        },
        true,
      ],
      [
        'the navigation with an explicit default',
        { navigation: { enabled: true, max_hold_seconds: 300, max_navigation_seconds: 180 } },
        true,
      ],
      ['another navigation', { navigation: { enabled: false, max_hold_seconds: 300 } }, false],
      ['follow_caller disabled, as stored', { follow_caller: { enabled: false } }, true],
      ['follow_caller enabled', { follow_caller: { enabled: true } }, false],
    ])('metadata with %s (%j) is accepted: %s', async (_title, metadata, accepted) => {
      const agentId = await customer.agent({
        opening: { first_speaker: 'agent' },
        metadata: { navigation: { enabled: true, max_hold_seconds: 300 } },
      });
      const before = await customer.get(agentId);
      if (accepted) expect((await customer.update(agentId, { metadata })).body.metadata).toEqual(before.body.metadata);
      else {
        await refused(customer.update(agentId, { metadata }), 400, 'BadRequestError');
        expect(await customer.get(agentId)).toEqual(before);
      }
    });

    it('customers can set active and inactive; only an operator can end a suspension', async () => {
      const agentId = await customer.agent();
      expect((await customer.update(agentId, { status: 'inactive' })).body.status).toBe('inactive');
      expect((await customer.update(agentId, { status: 'inactive' })).body.status).toBe('inactive');
      expect((await customer.forCall(agentId)).status).toBe('inactive');
      expect((await customer.update(agentId, { status: 'active' })).body.status).toBe('active');
      await refused(customer.update(agentId, { status: 'suspended' }), 400, 'BadRequestError');
      await platform.rows("update agents set status = 'suspended' where organization_id = $1 and agent_id = $2", [
        customer.organizationId,
        agentId,
      ]);
      await refused(customer.update(agentId, { status: 'active' }), 400, 'BadRequestError');
      await refused(customer.update(agentId, { status: 'inactive' }), 400, 'BadRequestError');
      expect((await customer.update(agentId, { name: 'still editable' })).body.status).toBe('suspended');
    });

    it('a stale If-Match returns 409 and changes nothing; the current one is accepted', async () => {
      const agentId = await customer.agent();
      const { etag } = await customer.update(agentId, { name: 'a' }, { ifMatch: '"1"' });
      expect(etag).toBe('"2"');
      await refused(customer.update(agentId, { name: 'b' }, { ifMatch: '"1"' }), 409, 'ConflictError');
      await refused(customer.update(agentId, { name: 'b' }, { ifMatch: 'W/"2"' }), 409, 'ConflictError');
      expect((await customer.get(agentId)).body.name).toBe('a');
      expect((await customer.update(agentId, { name: 'c' }, { ifMatch: '"7", "2"' })).etag).toBe('"3"');
      expect((await customer.update(agentId, { name: 'd' }, { ifMatch: '*' })).etag).toBe('"4"');
    });
  });
});
