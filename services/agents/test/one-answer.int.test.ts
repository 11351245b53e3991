import { AgentsPlatform, type Customer, type Json } from './agents-platform';

describe('rules that hold on every route of an agent', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const refused = (pending: Promise<unknown>, path: string, code: string) =>
    expect(pending).rejects.toMatchObject({
      status: 400,
      code: 'BadRequestError',
      fields: { errors: [expect.objectContaining({ path, code })] },
    });

  const languagesOf = async (agentId: string): Promise<unknown[]> => [
    (await customer.get(agentId)).body.language,
    (await customer.stack(agentId)).body.language,
  ];

  it('the primary language must be one of the selected languages, on both routes', async () => {
    const agentId = await customer.agent({ language: 'en' });
    await customer.save(agentId, { languages: ['en', 'de-AT'] });
    await refused(customer.update(agentId, { language: 'fr' }), 'language', 'conflict_with');
    await refused(customer.save(agentId, { language: 'fr' }), 'language', 'conflict_with');
    await refused(customer.create({ language: 'fr', languages: ['en'] }), 'language', 'conflict_with');
    expect(await languagesOf(agentId)).toEqual(['en', 'en']);
    await customer.update(agentId, { language: 'de' });
    expect(await languagesOf(agentId)).toEqual(['de', 'de-AT']);
    await customer.save(agentId, { languages: ['fr', 'es'] });
    expect(await languagesOf(agentId)).toEqual([undefined, 'fr']);
    await customer.save(agentId, { languages: ['en', 'de'], language: 'de' });
    expect(await languagesOf(agentId)).toEqual(['de', 'de']);
  });

  it.each(['deu-xx-!!', '12'])('translation.target_language %s returns 400', async (target_language) => {
    const translation = { enabled: true, target_language };
    const agentId = await customer.agent();
    await refused(customer.update(agentId, { translation }), 'translation.target_language', 'format');
    await refused(customer.create({ translation }), 'translation.target_language', 'format');
  });

  it('an agent created with languages is first published by a voice-stack save, never by a generic update', async () => {
    const agentId = await customer.agent({ languages: ['en', 'xx'] });
    const version = async (): Promise<unknown> => (await customer.get(agentId)).body.voice_stack.published_version;
    await customer.update(agentId, { system_prompt: 'one' });
    await customer.save(agentId, { turn_taking: { max_call_seconds: 600 } });
    expect(await version()).toBe(0);
    await expect(customer.save(agentId, { system_prompt: 'two' })).rejects.toMatchObject({
      status: 400,
      fields: { reason: 'language_not_supported' },
    });
    await customer.save(agentId, { languages: ['en'] });
    await customer.update(agentId, { system_prompt: 'three' });
    expect(await version()).toBe(2);
  });

  it.each<[string, Json, Json]>([
    ['profile_without_effect', {}, { languages: ['en'], language_profiles: [{ locale: 'ja', greeting: 'x' }] }],
    ['translation_target_missing', { translation: { enabled: true } }, {}],
    ['placeholder_unread', {}, { system_prompt: 'Hello {{first name}}' }],
    ['placeholder_unread', {}, { voice_polish: { end_of_call_phrase: 'Bye {{ 1st }}' } }],
    ['variable_undeclared', {}, { system_prompt: 'Hello {{missing}}' }],
    ['variable_undeclared', {}, { first_message: 'Hello {{missing}}' }],
    ['variable_undeclared', {}, { voice_polish: { end_of_call_phrase: 'Bye {{missing}}' } }],
    ['variable_undeclared', {}, { voice_polish: { acknowledgements: { phrases: ['{{missing}}'] } } }],
    ['variable_undeclared', {}, { voice_polish: { tool_wait: { mode: 'acknowledge', phrases: ['{{missing}}'] } } }],
    ['variable_undeclared', {}, { voice_polish: { unrecognised_speech: { phrase: '{{missing}}' } } }],
    ['variable_undeclared', {}, { answer_detection: { voicemail_messages: { en: '{{missing}}' } } }],
  ])('warns with %s for %j %j', async (code, update, save) => {
    const agentId = await customer.agent();
    expect((await customer.stack(agentId)).body.warnings).toEqual([]);
    await customer.update(agentId, update);
    const { warnings } = (await customer.save(agentId, save)).body;
    expect((warnings as string[]).map((warning) => warning.split(':')[0])).toEqual([code]);
    if (code !== 'variable_undeclared') return;
    await customer.replaceVariables(agentId, {
      config: { variables: [{ name: 'missing', type: 'string', required: false }] },
    });
    expect((await customer.stack(agentId)).body.warnings).toEqual([]);
  });

  it('bound_credentials returns booleans instead of ids', async () => {
    const agentId = await customer.agent();
    const credentialId = 'cred_01hzzzzzzzzzzzzzzzzzzzzzzz';
    platform.credentials.push({
      organizationId: customer.organizationId,
      credentialId,
      kind: 'llm',
      provider: 'simulator',
    });
    await customer.save(agentId, { component_credential_bindings: { llm: credentialId } });
    const { body } = await customer.stack(agentId);
    expect(body.bound_credentials).toEqual({ stt: false, llm: true, tts: false });
    expect(JSON.stringify(body)).not.toContain(credentialId);
  });

  it('restoring a publication keeps the mode of the agent', async () => {
    const agentId = await customer.agent();
    await customer.save(agentId, { languages: ['en'], system_prompt: 'one' });
    await customer.update(agentId, { mode: 'external_text', system_prompt: 'two' });
    await customer.restore(agentId, '1');
    expect((await customer.get(agentId)).body).toMatchObject({ mode: 'external_text', system_prompt: 'one' });
  });

  it.each<[string, Json, string]>([
    ['transfer_call without config', { type: 'builtin', name: 'transfer_call' }, 'required'],
    [
      'transfer_call without a destination',
      { type: 'builtin', name: 'transfer_call', config: { destinations: [] } },
      'too_short',
    ],
    [
      'a connection action that is not a valid tool name',
      { type: 'connection', connection_id: 'c', action: 'do it!' },
      'required',
    ],
    ...['end_call', 'send_sms', 'query_knowledge', 'leave_voicemail'].map((name): [string, Json, string] => [
      `${name} with an unknown setting`,
      { type: 'builtin', name, config: { a: 1 } },
      'unknown_field',
    ]),
    ['send_sms to no number', { type: 'builtin', name: 'send_sms', config: { to: ['911'] } }, 'format'],
  ])('an invalid tool returns 400: %s', async (_title, tool, code) => {
    await expect(customer.create({ tools: [tool] })).rejects.toMatchObject({
      status: 400,
      fields: { errors: [{ code }] },
    });
  });

  it.each(['+1911', '+19005550123', '+44118118', 'sip:19005550123@pbx.example', 'sip:112@pbx.example;user=phone'])(
    'a transfer destination that is never dialed returns 400 with its path: %s',
    async (to) => {
      const desk = { name: 'Desk', to: 'sip:desk@pbx.example', kind: 'cold' };
      const tool = {
        type: 'builtin',
        name: 'transfer_call',
        config: { destinations: [desk, { ...desk, name: 'x', to }] },
      };
      const agentId = await customer.agent();
      await expect(customer.update(agentId, { tools: [tool] })).rejects.toMatchObject({
        status: 400,
        fields: { errors: [{ path: 'tools[0].config.destinations[1].to', code: 'not_allowed' }] },
      });
      expect((await customer.get(agentId)).body).toMatchObject({ tools: [] });
    },
  );

  it('every invalid field is in errors, and the message describes the first', async () => {
    const body = { name: 5, languages: ['de', 'x'], mode: 'odd', opening: { silence_wait_seconds: '2' }, colour: 1 };
    await expect(customer.create(body)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/^mode /),
      fields: {
        errors: [
          { path: 'mode', code: 'not_allowed' },
          { path: 'name', code: 'type' },
          { path: 'languages[1]', code: 'too_short' },
          { path: 'opening.silence_wait_seconds', code: 'type' },
          { path: 'colour', code: 'unknown_field' },
        ],
      },
    });
  });

  it.each([
    ['translation', 'PATCH /v1/agents/{agent_id}'],
    ['recording_enabled', 'PATCH /v1/agents/{agent_id}'],
    ['answers_messages', 'PATCH /v1/agents/{agent_id}'],
    ['webhook_url', 'PATCH /v1/agents/{agent_id}'],
    ['audio_stream_url', 'PATCH /v1/agents/{agent_id}'],
    ['metadata', 'PATCH /v1/agents/{agent_id}'],
    ['name', 'PATCH /v1/agents/{agent_id}'],
    ['status', 'PATCH /v1/agents/{agent_id}'],
    ['mode', 'PATCH /v1/agents/{agent_id}'],
    ['variables', 'PUT /v1/agents/{agent_id}/variables'],
  ])('a voice-stack save with %s returns 400 with the route of that field', async (field, route) => {
    await expect(customer.save(await customer.agent(), { [field]: 'x' })).rejects.toMatchObject({
      status: 400,
      fields: { errors: [{ path: field, code: 'wrong_route', message: expect.stringContaining(route) }] },
    });
  });

  it.each(['follow_caller', 'opening'])(
    'metadata.%s null in a generic update returns 400 with the route of that field',
    async (section) => {
      const pending = customer.update(await customer.agent(), { metadata: { [section]: null } });
      await refused(pending, `metadata.${section}`, 'wrong_route');
    },
  );
});
