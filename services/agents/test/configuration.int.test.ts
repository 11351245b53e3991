import { routes } from '@parley/contract';
import { AgentsPlatform, type Customer, type Json, type WriteOptions } from './agents-platform';

describe('PUT and GET /v1/agents/{agent_id}/configuration (docs/reference/agents.md#configuration)', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const at = (agentId: string) => ({ params: { agent_id: agentId } });

  async function read(agentId: string, options: WriteOptions = {}) {
    const { body, etag } = await customer.ask(routes.getAgentConfiguration, at(agentId), options);
    return { body: body as Json, etag };
  }

  async function put(agentId: string, body: Json, options: WriteOptions = {}) {
    const request = { ...at(agentId), body: body as never, ifMatch: options.ifMatch };
    const answer = await customer.ask(routes.saveAgentConfiguration, request, options);
    return { body: answer.body as Json, etag: answer.etag };
  }

  const rowOf = async (agentId: string): Promise<unknown> =>
    platform.rows('select * from agents where organization_id = $1 and agent_id = $2', [
      customer.organizationId,
      agentId,
    ]);

  it('GET returns the agent and the voice stack as their own routes do, with the same ETag', async () => {
    const agentId = await customer.agent({ name: 'Reception', languages: ['en', 'de'] });
    const [agent, stack] = [await customer.get(agentId), await customer.stack(agentId)];
    const { body, etag } = await read(agentId);
    expect(body).toEqual({ agent: agent.body, voice_stack: stack.body });
    expect([etag, etag]).toEqual([agent.etag, stack.etag]);
  });

  it('PUT saves both parts as one change: one revision, one publication, one audit event', async () => {
    const agentId = await customer.agent({ name: 'Reception' });
    const before = await read(agentId);
    const { body, etag } = await put(
      agentId,
      {
        agent: { name: 'Desk', recording_enabled: true, metadata: { team: 'x' } },
        voice_stack: { languages: ['en', 'de'], turn_taking: { max_call_seconds: 300 } },
      },
      { ifMatch: before.etag },
    );
    expect(body.agent).toMatchObject({ name: 'Desk', recording_enabled: true, metadata: { team: 'x' } });
    expect(body.voice_stack).toMatchObject({
      turn_taking: { max_call_seconds: 300 },
      language_profiles: { languages: ['en', 'de'], published_version: 1 },
    });
    expect(await read(agentId)).toEqual({ body, etag });
    const [row] = await platform.rows('select revision from agents where organization_id = $1 and agent_id = $2', [
      customer.organizationId,
      agentId,
    ]);
    expect(Number(row?.revision)).toBe(2);
    const acts = (await platform.rows(`select payload from outbox where stream = 'AUDIT' order by position`, []))
      .map(({ payload }) => JSON.parse(String(payload)) as Json)
      .filter((act) => act.subject === agentId && act.action !== 'agent.created');
    expect(acts.map(({ action, detail }) => [action, detail])).toEqual([
      [
        'agent.configuration_saved',
        { fields: ['languages', 'metadata', 'name', 'recording_enabled', 'turn_taking'], published_version: 1 },
      ],
    ]);
  });

  it('concurrent saves are applied one after another; with If-Match all but one return 409', async () => {
    const agentId = await customer.agent();
    const { etag } = await read(agentId);
    const save = (name: string, options: WriteOptions) =>
      put(agentId, { agent: { name }, voice_stack: { first_message: name } }, options);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const raced = await Promise.allSettled(names.map((name) => save(name, { ifMatch: etag })));
    expect(raced.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of raced)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 409, code: 'ConflictError' });
    const { body } = await read(agentId);
    // Both parts come from the same save.
    expect(body.agent.name).toBe(body.agent.first_message);
    await expect(save('f', { ifMatch: etag })).rejects.toMatchObject({ status: 409, code: 'ConflictError' });
  });

  it('concurrent saves of different fields all succeed', async () => {
    const agentId = await customer.agent();
    const saves: Json[] = [
      ...Object.entries({ name: 'A', webhook_url: 'https://a.example/', audio_stream_url: 'wss://a.example/' }).map(
        ([field, value]) => ({ agent: { [field]: value } }),
      ),
      ...['first_message', 'system_prompt'].map((field) => ({ voice_stack: { [field]: 'Hello.' } })),
      ...['max_call_seconds', 'no_caller_speech_seconds'].map((field) => ({
        voice_stack: { turn_taking: { [field]: 60 } },
      })),
      { agent: { recording_enabled: true } },
      { agent: { metadata: { team: 'a' } } },
      { voice_stack: { voice_polish: { delivery: 'calm' } } },
      { voice_stack: { answer_detection: { voicemail: 'off' } } },
      { voice_stack: { opening: { first_speaker: 'agent' } } },
      { voice_stack: { audio_environment: { preset: 'office', volume: 0.5 } } },
    ];
    const raced = await Promise.allSettled(saves.map((body) => put(agentId, { agent: {}, voice_stack: {}, ...body })));
    expect(raced.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))).toEqual([]);
    const [row] = await platform.rows('select revision from agents where organization_id = $1 and agent_id = $2', [
      customer.organizationId,
      agentId,
    ]);
    expect(Number(row?.revision)).toBe(saves.length + 1);
  });

  it.each<[string, Json, Json, string, string]>([
    ['the voice stack', { name: 'New' }, { languages: ['en', 'en'] }, 'voice_stack.languages', 'duplicate'],
    ['the agent', { webhook_url: 'ftp://a.example' }, { first_message: 'New' }, 'agent.webhook_url', 'format'],
    ['a language of the agent', { language: '12' }, { first_message: 'New' }, 'agent.language', 'format'],
    [
      'a metadata section',
      { metadata: { navigation: { enabled: true } } },
      {},
      'agent.metadata.navigation',
      'wrong_route',
    ],
    [
      'a limit',
      { name: 'New' },
      { turn_taking: { max_call_seconds: 1 } },
      'voice_stack.turn_taking.max_call_seconds',
      'too_small',
    ],
  ])(
    'an invalid value in %s returns 400 with its path, and neither part is saved',
    async (_title, agent, stack, path, code) => {
      const agentId = await customer.agent({ name: 'Old' });
      const before = await rowOf(agentId);
      await expect(put(agentId, { agent, voice_stack: stack })).rejects.toMatchObject({
        status: 400,
        fields: { errors: expect.arrayContaining([expect.objectContaining({ path, code })]) as unknown },
      });
      expect(await rowOf(agentId)).toEqual(before);
    },
  );

  it('returns 400 for a missing part and for an unknown field', async () => {
    const agentId = await customer.agent();
    await expect(put(agentId, { agent: {} })).rejects.toMatchObject({
      status: 400,
      fields: { errors: [{ path: 'voice_stack', code: 'required' }] },
    });
    await expect(put(agentId, { agent: { nmae: 'x' }, voice_stack: {} })).rejects.toMatchObject({
      status: 400,
      fields: { errors: [{ path: 'agent.nmae', code: 'unknown_field' }] },
    });
  });

  describe.each([
    ['system_prompt', 'Be kind.', 'Be brief.'],
    ['first_message', 'Hello.', null],
    ['language', 'de', 'en'],
  ])('%s, a field of both parts', (name, one, other) => {
    it.each(['agent', 'voice_stack'])('is saved from %s if only that part changes it', async (part) => {
      const agentId = await customer.agent({ languages: ['en', 'de'], system_prompt: 'Old.', first_message: 'Old.' });
      const { body } = await read(agentId);
      const sent = { ...body, [part]: { ...body[part], [name]: one } };
      const { body: saved } = await put(agentId, sent);
      expect([saved.agent[name], saved.voice_stack[name]]).toEqual([one, one]);
    });

    it('returns 400 if the parts change it differently, and nothing is saved', async () => {
      const agentId = await customer.agent({ languages: ['en', 'de'], system_prompt: 'Old.', first_message: 'Old.' });
      await put(agentId, { agent: {}, voice_stack: { [name]: one } });
      const before = await rowOf(agentId);
      const third = name === 'language' ? 'fr' : 'Something else.';
      await expect(put(agentId, { agent: { [name]: third }, voice_stack: { [name]: other } })).rejects.toMatchObject({
        status: 400,
        fields: { errors: [{ path: `voice_stack.${name}`, code: 'conflict_with' }] },
      });
      expect(await rowOf(agentId)).toEqual(before);
    });
  });

  it('the primary language of the agent is checked against the languages in the same request', async () => {
    const agentId = await customer.agent({ languages: ['en'] });
    const { body } = await put(agentId, { agent: { language: 'de' }, voice_stack: { languages: ['en', 'de'] } });
    expect(body.voice_stack).toMatchObject({ language: 'de', language_profiles: { languages: ['en', 'de'] } });
  });

  it('the response contains the secret of a new webhook tool, once', async () => {
    const agentId = await customer.agent();
    const tool = {
      type: 'webhook',
      name: 'lookup',
      description: 'Looks up.',
      parameters: { type: 'object' },
      url: 'https://example.com/tool',
      method: 'POST',
    };
    const { body } = await put(agentId, { agent: { tools: [tool] }, voice_stack: {} });
    expect(body.agent.tools[0].secret).toMatch(/^whsec_/);
    expect((await read(agentId)).body.agent.tools[0]).not.toHaveProperty('secret');
  });

  it('returns 404 for an agent of another organization, and 403 if a part names another organization or project', async () => {
    const agentId = await customer.agent();
    const other = platform.customer();
    for (const asking of [
      other.ask(routes.getAgentConfiguration, at(agentId)),
      other.ask(routes.saveAgentConfiguration, { ...at(agentId), body: { agent: {}, voice_stack: {} } }),
    ])
      await expect(asking).rejects.toMatchObject({ status: 404, code: 'NotFoundError', message: 'agent not found' });
    for (const body of [
      { agent: { organization_id: other.organizationId }, voice_stack: {} },
      { agent: {}, voice_stack: { project_id: other.projectId } },
    ])
      await expect(put(agentId, body)).rejects.toMatchObject({ status: 403, code: 'ForbiddenError' });
  });
});
