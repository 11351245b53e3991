import { capabilityBlockers, routes, type Blocker } from '@parley/contract';
import { newId } from '@parley/runtime';
import { operatorCaller } from '@parley/testing';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

const deepgram = { provider: 'deepgram', model: 'nova-3' };
const unlisted = { provider: 'simulator', model: 'sim-gone' };

describe('readiness of an agent (docs/reference/voice-stack.md#readiness)', () => {
  let platform: AgentsPlatform;
  let customer: Customer;
  /** What no worker declared. */
  let missing: string[] = [];
  let hasNumber = true;

  const hindering = (needs: readonly string[]): Blocker[] =>
    capabilityBlockers(needs.filter((need) => missing.includes(need)));

  beforeAll(async () => {
    platform = await AgentsPlatform.start(undefined, {
      workers: {
        check: (_workspace, needs) => {
          const found = hindering(needs);
          return Promise.resolve({ blockers: found, undeclared: found, translator: 'simulator' });
        },
        channels: (_workspace, needs) => {
          const found = hindering(needs);
          return Promise.resolve({ phone: found, browser: found, chat: [], hasNumber });
        },
      },
    });
  });
  afterAll(() => platform.stop());
  beforeEach(() => {
    customer = platform.customer();
    [missing, hasNumber] = [[], true];
  });

  const published = async (): Promise<string> => {
    const agentId = await customer.agent();
    await customer.save(agentId, { languages: ['en'] });
    return agentId;
  };
  const saved = (reason: string) => ({
    status: 400,
    code: 'BadRequestError',
    fields: { language: 'en', reason, blockers: [expect.objectContaining({ code: reason })] },
  });

  const stops: readonly (readonly [string, Json, string[]])[] = [
    ['provider_unavailable', { transcriber: deepgram }, ['stt:deepgram']],
    ['engine_unavailable', { voice_frontend: 'cascade', first_message: 'Hello' }, ['engine:cascade']],
    ['model_not_in_catalogue', { model: unlisted }, []],
    ['credential_missing', { transcriber: deepgram }, []],
  ];

  /** A credential for each case whose subject is not the credential. */
  const credentialFor = (reason: string) => {
    if (reason === 'credential_missing') return;
    const { organizationId } = customer;
    const kept = { organizationId, kind: 'stt', provider: 'deepgram', standby: true };
    platform.credentials.push({ ...kept, credentialId: newId('cred') });
  };

  it.each(stops.filter(([reason]) => reason !== 'engine_unavailable'))(
    'a save whose publication would have the blocker %s is 400 and writes nothing',
    async (reason, body, needs) => {
      credentialFor(reason);
      missing = needs;
      const agentId = await published();
      const before = [await customer.get(agentId), await customer.stack(agentId)];
      const kept = await platform.voiceStack.publications(customer.organizationId);
      await expect(customer.save(agentId, body)).rejects.toMatchObject(saved(reason));
      expect([await customer.get(agentId), await customer.stack(agentId)]).toEqual(before);
      expect(await platform.voiceStack.publications(customer.organizationId)).toBe(kept);
      expect(await customer.preview(agentId, body)).toMatchObject({
        publishes: true,
        publishable: false,
        blockers: [{ code: reason }],
      });
    },
  );

  it('a save of a mode that no worker conducts is 400, also by the generic update', async () => {
    missing = ['mode:external_text'];
    const agentId = await published();
    await expect(
      customer.update(agentId, { mode: 'external_text', webhook_url: 'https://agent.example.com/turns' }),
    ).rejects.toMatchObject(saved('mode_unavailable'));
  });

  it.each(stops)(
    'a first publication with the blocker %s is stored, and selectable is false',
    async (reason, body, needs) => {
      credentialFor(reason);
      missing = needs;
      const agentId = await customer.agent();
      const all = { languages: ['en'], ...body };
      expect(await customer.preview(agentId, all)).toMatchObject({
        publishes: true,
        blockers: [],
        publishable: false,
        voice_stack: { selectable: false },
      });
      const { body: stack } = await customer.save(agentId, all);
      expect(stack).toMatchObject({ selectable: false, publishable: false });
      expect(stack.language_profiles.published_version).toBe(1);
      expect((await customer.stack(agentId)).body.selectable).toBe(false);
    },
  );

  it('a blocker that the current publication has does not refuse a save, and another one of its kind does', async () => {
    const agentId = await customer.agent();
    await customer.save(agentId, { languages: ['en'], transcriber: deepgram });
    const { body } = await customer.save(agentId, { first_message: 'Hello' });
    expect(body.language_profiles.published_version).toBe(2);
    await expect(
      customer.save(agentId, { model: { provider: 'anthropic', model: 'claude-haiku-4-5' } }),
    ).rejects.toMatchObject({
      fields: { blockers: [expect.objectContaining({ scope: 'credential:llm' })] },
    });
    expect((await customer.save(agentId, { transcriber: null })).body).toMatchObject({ selectable: true });
  });

  it('a blocker of another kind refuses a first publication too', async () => {
    const agentId = await customer.agent();
    const body = { languages: ['en', 'tlh'], transcriber: deepgram };
    await expect(customer.save(agentId, body)).rejects.toMatchObject({
      fields: { language: 'tlh', blockers: [{ code: 'language_not_supported' }] },
    });
    expect((await customer.stack(agentId)).body.language_profiles).toMatchObject({
      published_version: 0,
      languages: [],
    });
  });

  it('a restored publication that would stop the agent is 400', async () => {
    credentialFor('provider_unavailable');
    const agentId = await customer.agent();
    await customer.save(agentId, { languages: ['en'], transcriber: deepgram });
    await customer.save(agentId, { transcriber: null });
    missing = ['stt:deepgram'];
    const restoring = customer.ask(routes.restorePublication, { params: { agent_id: agentId, version: '1' } });
    await expect(restoring).rejects.toMatchObject(saved('provider_unavailable'));
  });

  it('a call of a publication whose stack cannot be used is refused with its blockers until it can', async () => {
    const agentId = await customer.agent();
    await customer.save(agentId, { languages: ['en'], transcriber: deepgram });
    expect((await customer.forCall(agentId)).blockers).toMatchObject([{ code: 'credential_missing' }]);
    credentialFor('provider_unavailable');
    const call = await customer.forCall(agentId);
    expect([call.blockers, call.publicationVersion]).toEqual([[], 1]);
    expect(call.publicationSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  describe('GET /v1/agents/{agent_id}/readiness', () => {
    const read = async (agentId: string): Promise<Json> =>
      (await customer.ask(routes.getAgentReadiness, { params: { agent_id: agentId } })).body;
    const codes = async (agentId: string): Promise<string[][]> => {
      const { phone, browser, chat } = await read(agentId);
      for (const { ok, blockers } of [phone, browser, chat]) expect(ok).toBe(blockers.length === 0);
      return [phone, browser, chat].map(({ blockers }) => (blockers as { code: string }[]).map(({ code }) => code));
    };

    it('of an agent that can be used everywhere', async () => {
      const ready = { ok: true, blockers: [] };
      expect(await read(await published())).toEqual({ phone: ready, browser: ready, chat: ready });
    });

    it('names each blocker with its code, its scope and its repair', async () => {
      hasNumber = false;
      expect((await read(await published())).phone).toEqual({
        ok: false,
        blockers: [
          {
            code: 'number_missing',
            scope: 'number',
            detail: expect.any(String) as string,
            repair: 'Add a number to the project of the agent.',
          },
        ],
      });
    });

    it('an inactive agent has chats only, and a suspended one nothing', async () => {
      const agentId = await published();
      await customer.update(agentId, { status: 'inactive' });
      expect(await codes(agentId)).toEqual([['agent_inactive'], ['agent_inactive'], []]);
      const as = operatorCaller;
      await customer.ask(routes.suspendAgent, { params: { agent_id: agentId }, body: {} }, { as });
      expect(await codes(agentId)).toEqual([['agent_suspended'], ['agent_suspended'], ['agent_suspended']]);
    });

    it('includes what the stack, the workers and the address lack, with and without a publication', async () => {
      missing = ['stt:deepgram', 'tool:transfer_call'];
      const agentId = await customer.agent({ mode: 'external_text' });
      expect(await codes(agentId)).toEqual([['address_missing'], ['address_missing'], ['address_missing']]);
      const other = await customer.agent();
      await customer.save(other, { languages: ['en'], transcriber: deepgram });
      const lacking = ['credential_missing', 'provider_unavailable'];
      expect(await codes(other)).toEqual([lacking, lacking, ['credential_missing']]);
    });

    it('of an absent agent and of another organization’s is 404', async () => {
      await expect(read(newId('agt'))).rejects.toMatchObject({ status: 404 });
      await expect(read(await platform.customer().agent())).rejects.toMatchObject({ status: 404 });
    });
  });
});
