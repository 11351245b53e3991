import { AgentsPlatform, operator, type Customer, type Json } from './agents-platform';
import { routes } from '@parley/contract';

const webhook = {
  type: 'webhook',
  name: 'lookup',
  description: 'Looks up.',
  parameters: { type: 'object' },
  url: 'https://example.com/tool',
  method: 'POST',
  headers: { Authorization: 'Bearer x' },
};

interface State {
  readonly create?: Json;
  readonly save?: Json;
  readonly update?: Json;
}

/** Single settings and combinations. The tests combine every base with every setting. */
const bases: Readonly<Record<string, State>> = {
  'that chose nothing': {},
  'with one language': { create: { language: 'en' } },
  'created with languages': { create: { languages: ['en', 'de'], language: 'de' } },
  published: { save: { languages: ['en', 'de'] } },
  'on a live engine': { create: { voice_frontend: 'engine_a_live' } },
  external: { create: { mode: 'external_text' } },
};

const settings: Readonly<Record<string, State>> = {
  nothing: {},
  texts: { save: { system_prompt: 'Be kind to {{name}}.', first_message: '' } },
  'a legacy voice': { update: { voice: 'legacy-voice' } },
  'a stack of its own': {
    save: {
      transcriber: { provider: 'simulator', model: 'sim-listen-40' },
      model: { provider: 'simulator', model: 'sim-chat', options: { latency_ms: 20 } },
      voice: { provider: 'simulator', model: 'sim-speak-40', voice_id: 'sim-anna' },
    },
  },
  'tools with sealed headers': { update: { tools: ['legacy', webhook] } },
  translation: { update: { translation: { enabled: true, target_language: 'de', scope: 'both' } } },
  addresses: { update: { webhook_url: 'https://example.com/a', audio_stream_url: 'wss://example.com/b' } },
  'turn taking at its defaults': { save: { turn_taking: { max_call_seconds: 1740, min_speech_ms: 500 } } },
  'a short call': { save: { turn_taking: { max_call_seconds: 300 } } },
  'navigation with limits': { save: { navigation: { enabled: true, max_hold_seconds: 600 } } },
  'navigation off': { save: { navigation: { enabled: false, max_navigation_seconds: 20 } } },
  'an opening': { save: { opening: { first_speaker: 'agent' } } },
  'a polish': { save: { voice_polish: { end_of_call_phrase: ' Bye. ', tool_wait: { mode: 'sound' } } } },
  'voicemail messages': {
    save: { answer_detection: { voicemail: 'leave_message', voicemail_messages: { en: 'Call us.' } } },
  },
  'an audio environment': { save: { audio_environment: { preset: 'office', volume: 0.5 } } },
  metadata: { update: { metadata: { team: 'x' }, name: 'Reception', recording_enabled: true, status: 'inactive' } },
};

const states = Object.entries(bases).flatMap(([base, one]) =>
  Object.entries(settings).map(([setting, other]) => [`${base}, ${setting}`, one, other] as const),
);

describe('sending back what was read (docs/reference/agents.md#read-back)', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  async function agentIn(...of: readonly State[]): Promise<string> {
    const agentId = await customer.agent(Object.assign({}, ...of.map(({ create }) => create ?? {})) as Json);
    for (const { save, update } of of) {
      if (save !== undefined) await customer.save(agentId, save);
      if (update !== undefined) await customer.update(agentId, update);
    }
    return agentId;
  }

  const stored = async (agentId: string): Promise<unknown> =>
    platform.rows(
      `select document, revision, language_profile_revision, published_version, tool_secrets, tuning, view, voice_stack_view
       from agents where organization_id = $1 and agent_id = $2`,
      [customer.organizationId, agentId],
    );

  it.each(states)('stores nothing and changes no revision: an agent %s', async (_title, base, setting) => {
    const agentId = await agentIn(base, setting);
    const before = await stored(agentId);
    const [agent, stack] = [await customer.get(agentId), await customer.stack(agentId)];
    expect((await customer.save(agentId, stack.body)).body).toEqual(stack.body);
    const { status, ...rest } = agent.body;
    expect((await customer.update(agentId, { ...rest, status, expected_tools: agent.body.tools })).body).toEqual(
      agent.body,
    );
    const whole = await customer.ask(routes.getAgentConfiguration, { params: { agent_id: agentId } });
    const sent = { params: { agent_id: agentId }, body: whole.body as never };
    expect((await customer.ask(routes.saveAgentConfiguration, sent)).body).toEqual(whole.body);
    for (const section of ['transcriber', 'model', 'voice', 'navigation', 'opening', 'language_profiles'])
      await customer.save(agentId, { [section]: stack.body[section] });
    expect(await stored(agentId)).toEqual(before);
  });

  it('a suspended agent can be sent back only without its status', async () => {
    const agentId = await agentIn({ save: { languages: ['en', 'de'] } });
    await customer.ask(
      routes.suspendAgent,
      { params: { agent_id: agentId }, body: { reason: 'complaints' } },
      operator,
    );
    const { body } = await customer.get(agentId);
    expect(body.suspension).toEqual({ reason: 'complaints', suspended_at: body.updated_at });
    const { status, ...rest } = body;
    expect((await customer.update(agentId, rest)).body).toEqual(body);
    await expect(customer.update(agentId, { status })).rejects.toMatchObject({
      status: 400,
      fields: { errors: [{ path: 'status', code: 'not_allowed' }] },
    });
    await customer.ask(routes.reinstateAgent, { params: { agent_id: agentId } }, operator);
    expect((await customer.get(agentId)).body).not.toHaveProperty('suspension');
  });

  it('only explicit navigation limits are checked against max_call_seconds', async () => {
    const agentId = await agentIn({});
    const { body: read } = await customer.stack(agentId);
    const { body } = await customer.save(agentId, { ...read, turn_taking: { max_call_seconds: 300 } });
    expect(body.turn_taking).toEqual({ max_call_seconds: 300 });
    await customer.save(agentId, { navigation: { ...body.navigation, enabled: true } });
    await expect(
      customer.save(agentId, { navigation: { enabled: true, max_hold_seconds: 301 } }),
    ).rejects.toMatchObject({ status: 400, fields: { errors: [{ path: 'navigation.max_hold_seconds' }] } });
    await customer.save(agentId, { navigation: { enabled: true, max_hold_seconds: 300 } });
    await expect(customer.save(agentId, { turn_taking: { max_call_seconds: 299 } })).rejects.toMatchObject({
      status: 400,
      fields: { errors: [{ path: 'turn_taking.max_call_seconds', code: 'conflict_with' }] },
    });
  });

  it('a component without the read-only fields is a choice, also if it equals the default', async () => {
    const agentId = await agentIn({ save: { languages: ['en'] } });
    const { body } = await customer.save(agentId, { transcriber: { provider: 'simulator', model: 'sim-listen-40' } });
    expect(body.language_profiles.published_version).toBe(2);
  });

  it('agents have a read-only voice_stack, from creation on, which writes ignore', async () => {
    const profile = { locale: 'de', greeting: 'Hallo' };
    const asked = { languages: ['en', 'de'], language_profiles: [profile], voice_frontend: 'cascade' };
    const created = await customer.create(asked);
    expect(created.body.voice_stack).toEqual({ ...asked, published_version: 0 });
    const agentId = created.body.agent_id as string;
    await customer.save(agentId, { languages: ['en'] });
    await customer.update(agentId, { voice_stack: { languages: ['fr'] } });
    const shown = { ...asked, languages: ['en'], published_version: 1 };
    expect((await customer.get(agentId)).body.voice_stack).toEqual(shown);
    const page = await customer.list({ limit: 100 });
    expect(page.data.find((one) => one.agent_id === agentId)?.voice_stack).toEqual(shown);
  });
});
