import { ModelServer } from '../spoken/model-server';
import { until } from '../until';
import { newAddress, visit, type Visited } from './visit';
import { refusal, type World } from './world';

/** Demos: what visitors reach with a link, or without one that is open. */
export function visitorAttacks(world: () => World): void {
  let models: ModelServer;
  /** An agent that answers in chats and on calls. */
  let agentId: string;
  let otherAgentId: string;
  const gone = [404, 'NotFoundError'];

  const newAgent = async (credential: unknown): Promise<string> => {
    const { customer, home } = world();
    const { body } = await customer.api.post('/v1/agents', { ...home, mode: 'hosted', language: 'en' });
    const stack = await customer.api.patch(`/v1/agents/${String(body.agent_id)}/voice-stack`, {
      ...{ languages: ['en'], first_message: 'Hello.', model: { provider: 'openai_compatible', model: 'own-chat' } },
      component_credential_bindings: { llm: credential },
    });
    expect([stack.status, stack.body]).toEqual([200, expect.anything()]);
    return String(body.agent_id);
  };
  beforeAll(async () => {
    models = await ModelServer.start((said) => `You said: ${said}`);
    const { body } = await world().customer.api.post('/v1/component-credentials', {
      ...{ organization_id: world().customer.organizationId, kind: 'llm', provider: 'openai_compatible' },
      ...{ name: 'demos', secret: 'canary-of-demos', base_url: models.url },
    });
    agentId = await newAgent(body.component_credential_id);
    otherAgentId = await newAgent(body.component_credential_id);
  });
  afterAll(() => models?.stop());

  const demoPath = (agent = agentId): string => `/v1/agents/${agent}/demo`;
  const open = async (settings: object = {}, agent = agentId): Promise<string> => {
    const { status, body } = await world().customer.api.post(demoPath(agent), settings);
    expect([status, body]).toEqual([201, expect.anything()]);
    world().canaries.set(`demo ${world().canaries.size}`, String(body.token));
    return String(body.token);
  };
  const conversationsOf = async (agent = agentId): Promise<unknown> =>
    (await world().customer.api.get(demoPath(agent))).body.conversations_today;
  /** Starts a chat. An engine that has just started may not have declared what it can do. */
  const chat = async (token: string): Promise<string> => {
    const { body } = await until('a chat of a visitor', async () => {
      const begun = await visit(world(), `/chat/${token}/sessions`);
      return begun.status === 201 ? begun : undefined;
    });
    return String(body.chat_session_id);
  };
  const say = (token: string, session: string): Promise<Visited> =>
    visit(world(), `/chat/${token}/sessions/${session}/turns`, { text: 'Hello?' });
  const hangUp = (token: string, session: string): Promise<Visited> =>
    visit(world(), `/chat/${token}/sessions/${session}/end`);

  it.each([
    ['GET', '/v1/me'],
    ['GET', '/v1/calls'],
    ['GET', '/v1/events'],
    ['POST', '/v1/sessions'],
    ['POST', '/v1/worker-jobs/adopt'],
    ['POST', '/v1/gateway/inbound-calls'],
    ['POST', '/mcp'],
  ])('the token of a link is no key: %s %s is 401', async (method, path) => {
    const headers = { authorization: `Bearer ${await open()}` };
    expect((await visit(world(), path, {}, { method, headers })).status).toBe(401);
  });

  it('a link takes no turn in a chat of another demo or of the organization, and ends none', async () => {
    const [mine, theirs] = [await open(), await open({}, otherAgentId)];
    const victim = await chat(theirs);
    const { body } = await world().customer.api.post(`/v1/agents/${agentId}/chat-sessions`, {});
    const own = String(body.chat_session_id);
    expect(own).toMatch(/^chs_/);
    const absent = await say(mine, `${victim.slice(0, -4)}zzzz`);
    expect(refusal(absent)).toEqual(gone);
    for (const session of [victim, own]) {
      expect(await say(mine, session)).toEqual(absent);
      expect(await hangUp(mine, session)).toEqual(absent);
    }
    expect(await say(theirs, victim)).toMatchObject({ status: 201, body: { status: 'open' } });
    expect((await hangUp(theirs, victim)).status).toBe(200);
    const still = await world().customer.api.post(`/v1/chat-sessions/${own}/turns`, { text: 'Hello?' });
    expect([still.status, still.body.status]).toEqual([201, 'open']);
    await world().customer.api.post(`/v1/chat-sessions/${own}/end`, {});
  });

  it.each<[string, (close: string) => Promise<unknown>, object]>([
    ['deleted', () => world().customer.api.delete(demoPath()), {}],
    ['replaced', () => open(), {}],
    ['expired', () => Promise.resolve(), { expires_at: 'soon' }],
  ])(
    'a link that was %s opens no page, starts nothing and takes no turn in a chat that is open',
    async (_, end, body) => {
      const expires_at = new Date(Date.now() + 6_000).toISOString();
      const token = await open('expires_at' in body ? { expires_at } : {});
      const session = await chat(token);
      expect((await say(token, session)).status).toBe(201);
      expect((await visit(world(), `/demo/${token}`, {}, { method: 'GET' })).status).toBe(200);
      await end(token);
      await until('the link is closed', async () => (await say(token, session)).status === 404);
      for (const path of [`/chat/${token}`, `/demo/${token}`])
        expect(refusal(await visit(world(), path, {}, { method: 'GET' }))).toEqual(gone);
      for (const path of [`/chat/${token}/sessions`, `/demo/${token}/calls`])
        expect(refusal(await visit(world(), path))).toEqual(gone);
      expect(refusal(await say(token, session))).toEqual(gone);
      expect(refusal(await hangUp(token, session))).toEqual(gone);
    },
  );

  it.each([
    ['daily_limit', 3, () => ({})],
    // The gateway trusts no proxy here, so these headers are claims of the visitor.
    [
      'address_limit',
      2,
      (nth: number) => ({
        'x-forwarded-for': `192.0.2.${nth}`,
        'x-real-ip': `192.0.2.${nth}`,
        forwarded: `for=192.0.2.${nth}`,
      }),
    ],
  ])('%s also limits concurrent requests with forged client addresses', async (limit, most, headersOf) => {
    const token = await open({ [limit]: most });
    const shared = newAddress();
    const begun = await Promise.all(
      Array.from({ length: 12 }, (_, nth) =>
        visit(
          world(),
          `/demo/${token}/calls`,
          {},
          {
            from: limit === 'address_limit' ? shared : newAddress(),
            headers: headersOf(nth),
          },
        ),
      ),
    );
    const refused = begun.filter(({ status }) => status !== 201);
    expect(begun.length - refused.length).toBe(most);
    expect(refused.map(refusal)).toEqual(refused.map(() => [429, 'rate_limited']));
    expect(await conversationsOf()).toBe(most);
  });

  it('spend_cap_micros holds for conversations that are started at once', async () => {
    const first = await open({ spend_cap_micros: 100_000_000 });
    expect((await visit(world(), `/demo/${first}/calls`)).status).toBe(201);
    const { spent_micros: hold } = (await world().customer.api.get(demoPath())).body;
    expect(Number(hold)).toBeGreaterThan(0);
    const token = await open({ spend_cap_micros: 2 * Number(hold) - 1 });
    const begun = await Promise.all(Array.from({ length: 8 }, () => visit(world(), `/demo/${token}/calls`)));
    expect(begun.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await world().customer.api.get(demoPath())).body.spent_micros).toBe(hold);
  });

  it('a visitor sets no variables, metadata or project, and gets no fields but those of the page', async () => {
    const token = await open();
    const forged = {
      ...{ variables: { ssn: 'forged' }, metadata: { a: 'forged' }, language: 'de', daily_limit: 1_000 },
      ...{ agent_id: otherAgentId, organization_id: world().stranger.organizationId, project_id: 'prj_x' },
    };
    for (const body of [forged, [], { zzz: 1 }])
      expect(refusal(await visit(world(), `/chat/${token}/sessions`, body))).toEqual([400, 'BadRequestError']);
    const begun = await visit(world(), `/chat/${token}/sessions`, {});
    expect(begun.status).toBe(201);
    expect(Object.keys(begun.body).sort()).toEqual(['chat_session_id', 'first_message', 'status']);
    const session = String(begun.body.chat_session_id);
    const turn = await say(token, session);
    expect(Object.keys(turn.body).sort()).toEqual(['agent_text', 'status', 'turn_id']);
    const call = await world().customer.readCall(session.replace('chs_', 'call_'));
    expect(call).toMatchObject({ agent_id: agentId, channel: 'chat', metadata: {}, language: 'en' });
    expect(JSON.stringify(call)).not.toContain('forged');
    const more = await visit(world(), `/chat/${token}/sessions/${session}/turns`, { text: 'Hello?', variables: {} });
    expect(refusal(more)).toEqual([400, 'BadRequestError']);
    await hangUp(token, session);
  });

  it('a key without agents:write opens, replaces and closes no demo, and no repetition of a creation shows its token', async () => {
    const { customer } = world();
    const opened = await customer.api.post(demoPath(), {}, { 'idempotency-key': 'demo-of-attacks' });
    const token = String(opened.body.token);
    world().canaries.set('demo of a repetition', token);
    const { api: narrow } = await world().holding(['calls:read', 'calls:write', 'recordings:read', 'account:read']);
    const { api: reader } = await world().holding(['agents:read']);
    for (const api of [narrow, reader]) {
      expect(refusal(await api.post(demoPath(), {}))).toEqual([403, 'ForbiddenError']);
      expect(refusal(await api.delete(demoPath()))).toEqual([403, 'ForbiddenError']);
    }
    const { api: other } = await world().holding(['agents:read', 'agents:write']);
    const shown = [
      await customer.api.post(demoPath(), {}, { 'idempotency-key': 'demo-of-attacks' }),
      await other.post(demoPath(), {}, { 'idempotency-key': 'demo-of-attacks' }),
      await reader.get(demoPath()),
    ];
    expect(shown.map(({ status }) => status)).toEqual([201, 201, 200]);
    expect(JSON.stringify(shown)).not.toContain(token.slice(4));
    expect((await visit(world(), `/chat/${token}`, {}, { method: 'GET' })).status).toBe(200);
  });
}
