import type { Api } from '../api';
import { briefCallee, Customer } from '../customer';
import { until } from '../until';
import { callTool } from './call-tool';
import { ExtractingModel } from './extracting-model';
import { refusal, type World } from './world';

/** Transcripts, prompts and sound sent to an address of the attacker, by a key that may write agents and read no transcript. */
export function divertingAttacks(world: () => World): void {
  let owner: Customer;
  let model: ExtractingModel;
  let stolen: ExtractingModel;
  let weak: Api;
  /** Of a key that may write numbers. */
  let api: Api;
  let token: string;
  let bound: string;
  const openai = { provider: 'openai', model: 'gpt-4.1-mini' };
  const extraction = { schema: { type: 'object', properties: { day: { type: 'string', description: 'The day' } } } };

  const credential = (change: object = {}) => ({
    ...{ organization_id: owner.organizationId, kind: 'llm', provider: 'openai', name: 'x', secret: 'sk-x' },
    ...change,
  });
  const agentPath = (): string => `/v1/agents/${owner.agentId}`;
  /** What the attack must leave as it is. */
  const state = async (): Promise<unknown> => {
    const paths = [agentPath(), `${agentPath()}/voice-stack`, `${agentPath()}/extraction`, '/v1/component-credentials'];
    return Promise.all(paths.map(async (path) => (await owner.api.get(path)).body));
  };

  beforeAll(async () => {
    [model, stolen] = [await ExtractingModel.start('owned'), await ExtractingModel.start('stolen')];
    owner = await Customer.create(world().platform);
    const stored = await owner.api.post('/v1/component-credentials', credential({ base_url: model.url }));
    bound = String(stored.body.component_credential_id);
    const set = { ...extraction, model: { ...openai, component_credential_id: bound } };
    expect((await owner.api.put(`${agentPath()}/extraction`, set)).status).toBe(200);
    ({ api: weak, token } = await world().holding(['agents:read', 'agents:write'], owner.organizationId));
    ({ api } = await world().holding(['numbers:read', 'numbers:write'], owner.organizationId));
  });
  afterAll(async () => {
    await owner?.close();
    model?.stop();
    stolen?.stop();
  });

  it.each<[string, (api: Api) => Promise<{ status: number; body: Record<string, unknown> }>]>([
    ['a newer credential', (api) => api.post('/v1/component-credentials', credential({ base_url: stolen.url }))],
    [
      'a server of its own',
      (api) =>
        api.post('/v1/component-credentials', credential({ provider: 'openai_compatible', base_url: stolen.url })),
    ],
    ['a standby credential', (api) => api.post('/v1/component-credentials', credential({ standby: true }))],
    [
      'another model of the extraction',
      (api) => api.put(`${agentPath()}/extraction`, { ...extraction, model: openai }),
    ],
    ['no model of the extraction', (api) => api.put(`${agentPath()}/extraction`, extraction)],
    [
      'a credential with an address, bound to the agent',
      (api) =>
        api.patch(`${agentPath()}/voice-stack`, { model: openai, component_credential_bindings: { llm: bound } }),
    ],
    ['external_text', (api) => api.patch(agentPath(), { mode: 'external_text', webhook_url: stolen.url })],
    [
      'external_audio',
      (api) => api.patch(agentPath(), { mode: 'external_audio', audio_stream_url: stolen.url.replace('http', 'ws') }),
    ],
    [
      'the whole configuration',
      (api) =>
        api.put(`${agentPath()}/configuration`, {
          agent: { mode: 'external_text', webhook_url: stolen.url },
          voice_stack: {},
        }),
    ],
    [
      'a new agent',
      (api) => {
        const home = { organization_id: owner.organizationId, project_id: owner.projectId };
        return api.post('/v1/agents', { ...home, mode: 'external_text', webhook_url: stolen.url });
      },
    ],
  ])('403 and nothing changed: %s', async (_, attack) => {
    const before = await state();
    const answer = await attack(weak);
    expect([...refusal(answer), answer.body.message]).toEqual([
      403,
      'ForbiddenError',
      'missing required scope: recordings:read',
    ]);
    expect(await state()).toEqual(before);
  });

  it.each<[string, () => object]>([
    ['update_agent', () => ({ mode: 'external_text', webhook_url: stolen.url })],
    ['save_voice_stack', () => ({ model: openai, component_credential_bindings: { llm: bound } })],
    ['replace_extraction', () => ({ ...extraction, model: openai })],
  ])('over MCP: %s', async (tool, given) => {
    const before = await state();
    const answer = await callTool(world(), token, tool, { agent_id: owner.agentId, ...given() });
    expect(answer).toContain('recordings:read');
    expect(answer).toContain('"isError":true');
    expect(await state()).toEqual(before);
  });

  it('another account at a carrier, of a key that may write numbers, changes no number that exists and none that is added', async () => {
    const { organizationId: organization_id, projectId: project_id } = owner;
    const store = async (by: Api, account_sid: string): Promise<unknown> => {
      const account = { organization_id, provider: 'twilio', account_sid, auth_token: `token-of-${account_sid}` };
      world().canaries.set(account_sid, account.auth_token);
      const { status, body } = await by.post('/v1/carrier-credentials', account);
      expect(status).toBe(201);
      return body.carrier_credential_id;
    };
    const add = (phone_number: string) =>
      api.post('/v1/numbers', { organization_id, project_id, phone_number, provider: 'twilio' });
    const accountOf = async ({ body }: Awaited<ReturnType<typeof add>>): Promise<unknown> =>
      (await api.get(`/v1/numbers/${String(body.number_id)}`)).body.carrier_credential_id;
    const existing = await add('+14153000021');
    const owned = await store(owner.api, 'ACowned');
    await store(api, 'ACstolen');
    const added = await add('+14153000022');
    expect([await accountOf(existing), await accountOf(added)]).toEqual([owned, null]);
    const call = { agent_id: owner.agentId, to: '+14155550188', from: added.body.phone_number };
    const refused = await owner.api.post('/v1/calls', call);
    expect([refusal(refused), (refused.body.blockers as { code: string }[]).map(({ code }) => code)]).toEqual([
      [400, 'realtime_config_not_runnable'],
      ['carrier_credential_missing'],
    ]);
    // A project with one number needs no `from`.
    for (const { body } of [existing, added]) await api.delete(`/v1/numbers/${String(body.number_id)}`);
  });

  it('a SIP peer or a worker of its own, of a key that may write numbers, gets no calls of a number that exists or existed', async () => {
    const { organizationId: organization_id, projectId: project_id } = owner;
    const trunk = { organization_id, name: 'x', host: 'sip.example.com', transport: 'udp', codecs: ['pcmu'] };
    const { body: owned } = await owner.api.post('/v1/sip-trunks', trunk);
    const { body: planted } = await api.post('/v1/sip-trunks', { ...trunk, host: 'stolen.example.com' });
    const trunkPath = `/v1/sip-trunks/${String(owned.sip_trunk_id)}`;
    const number = { organization_id, project_id, phone_number: '+14153000023', provider: 'sip_trunk' };
    const { body: added } = await owner.api.post('/v1/numbers', { ...number, sip_trunk_id: owned.sip_trunk_id });
    const numberPath = `/v1/numbers/${String(added.number_id)}`;
    const before = [owned, added];
    const moved = { sip_trunk_id: planted.sip_trunk_id };
    for (const attack of [
      () => api.patch(trunkPath, { host: 'stolen.example.com' }),
      () => api.patch(trunkPath, { port: 5_070, username: 'x', password: 'x' }),
      () => api.patch(trunkPath, { transport: 'tcp' }),
      () => api.patch(numberPath, moved),
      () => api.patch(numberPath, { dialer: 'own' }),
    ])
      expect(refusal(await attack())).toEqual([403, 'ForbiddenError']);
    expect([(await api.get(trunkPath)).body, (await api.get(numberPath)).body]).toEqual(before);
    await api.delete(numberPath);
    for (const changed of [moved, { dialer: 'own' }])
      expect(refusal(await api.post('/v1/numbers', { ...number, ...changed }))).toEqual([403, 'ForbiddenError']);
  });

  it('a newer credential of a strong key redirects nothing either: the transcript goes to the one that is named', async () => {
    const newer = credential({ base_url: stolen.url });
    expect((await owner.api.post('/v1/component-credentials', newer)).status).toBe(201);
    const { call_id: callId } = await owner.call(briefCallee);
    const read = `/v1/calls/${callId}/extraction`;
    const { body } = await until('the extraction', async () => {
      const answer = await owner.api.get(read);
      return answer.status === 200 ? answer : undefined;
    });
    expect([body.summary, stolen.asked]).toEqual(['owned', []]);
  });
}
