import { routes } from '@parley/contract';
import { newId, serviceCaller } from '@parley/runtime';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

const webhook: Json = {
  type: 'webhook',
  name: 'lookup',
  description: 'Looks something up.',
  parameters: { type: 'object' },
  url: 'https://tools.example.com/lookup',
  method: 'POST',
};

describe('GetCallSecrets returns for a call', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => void (platform = await AgentsPlatform.start()));
  beforeEach(() => void (customer = platform.customer()));
  afterAll(() => platform?.stop());

  const secretsOf = (agentId: string, publicationVersion = 0, owner = customer) =>
    owner.clients.rpcs.getCallSecrets(
      { organizationId: owner.organizationId, agentId, publicationVersion, connectionIds: [] },
      { requestId: 'test', caller: serviceCaller },
    );
  const credential = (kind: string, provider: string, tested?: 'never' | 'failed' | 'ok'): string => {
    const credentialId = newId('cred');
    platform.credentials.push({ organizationId: customer.organizationId, credentialId, kind, provider, tested });
    return credentialId;
  };
  const rotate = (agentId: string, overlapHours: number) =>
    customer.ask(routes.rotateAgentToolSecret, {
      params: { agent_id: agentId, name: 'lookup' },
      body: { overlap_hours: overlapHours },
    });

  it('the signing secrets of webhook tools, including an old one during the overlap of a rotation', async () => {
    const { body } = await customer.create({ tools: [webhook, { type: 'builtin', name: 'end_call' }] });
    const agentId = String(body['agent_id']);
    const first = (body['tools'] as Json[])[0]?.['secret'] as string;
    expect((await secretsOf(agentId)).tools).toEqual([{ name: 'lookup', signingSecrets: [first] }]);
    const second = (await rotate(agentId, 24)).body.secret;
    expect((await secretsOf(agentId)).tools).toEqual([{ name: 'lookup', signingSecrets: [second, first] }]);
    const third = (await rotate(agentId, 0)).body.secret;
    expect((await secretsOf(agentId)).tools).toEqual([{ name: 'lookup', signingSecrets: [third] }]);
    await customer.update(agentId, { tools: [] });
    expect((await secretsOf(agentId)).tools).toEqual([]);
  });

  it('the server of an agent in an external mode, with its signing secrets', async () => {
    const addresses = {
      webhook_url: 'https://agent.example.com/turns',
      audio_stream_url: 'wss://agent.example.com/audio',
    };
    const externalOf = async (agentId: string) => (await secretsOf(agentId)).external;
    const hosted = await customer.agent(addresses);
    expect(await externalOf(hosted)).toBeUndefined();
    const agentId = await customer.agent({ ...addresses, mode: 'external_text', tools: [webhook] });
    const url = addresses.webhook_url;
    expect(await externalOf(agentId)).toEqual({ url, signingSecrets: [] });
    const make = (overlap_hours: number) =>
      customer.ask(routes.rotateAgentSecret, { params: { agent_id: agentId }, body: { overlap_hours } });
    const first = await make(24);
    expect(first.body).toEqual({
      agent_id: agentId,
      name: null,
      secret: expect.stringMatching(/^whsec_.{44}$/),
      previous_until: null,
    });
    const second = (await make(24)).body;
    expect(second.previous_until).not.toBeNull();
    // Removing the tools does not affect these secrets.
    await customer.update(agentId, { tools: [] });
    expect(await externalOf(agentId)).toEqual({ url, signingSecrets: [second.secret, first.body.secret] });
    const third = (await make(0)).body.secret;
    await customer.update(agentId, { mode: 'external_audio' });
    expect(await externalOf(agentId)).toEqual({ url: addresses.audio_stream_url, signingSecrets: [third] });
    await customer.update(agentId, { audio_stream_url: null });
    expect(await externalOf(agentId)).toEqual({ url: '', signingSecrets: [third] });
    const stored = await platform.rows('select * from agents where agent_id = $1', [agentId]);
    expect(JSON.stringify(stored)).not.toContain(third);
    await expect(
      platform.customer().ask(routes.rotateAgentSecret, { params: { agent_id: agentId }, body: {} }),
    ).rejects.toMatchObject({ status: 404 });
  });

  it('the credentials bound in the publication of the call, or the current ones of an agent that was never published', async () => {
    const [first, second] = [credential('tts', 'simulator', 'ok'), credential('tts', 'simulator', 'ok')];
    const agentId = await customer.agent();
    expect((await secretsOf(agentId)).bindings).toEqual({});
    await customer.save(agentId, { component_credential_bindings: { tts: first } });
    expect((await secretsOf(agentId)).bindings).toEqual({ tts: first });
    await customer.save(agentId, { languages: ['en'] });
    await customer.save(agentId, { component_credential_bindings: { tts: second } });
    expect((await secretsOf(agentId, 1)).bindings).toEqual({ tts: first });
    expect((await secretsOf(agentId, 2)).bindings).toEqual({ tts: second });
  });

  it('404 for an agent of another organization', async () => {
    const other = platform.customer();
    const theirs = await other.agent({ tools: [webhook] });
    const notFound = { status: 404, code: 'NotFoundError' };
    for (const agentId of [theirs, newId('agt'), 'nonsense'])
      await expect(secretsOf(agentId)).rejects.toMatchObject(notFound);
  });

  it.each([
    ['never', ['credential_untested']],
    ['failed', ['credential_failed']],
    ['ok', []],
  ] as const)(
    'a save with a bound credential whose test result is %s returns the matching warnings',
    async (tested, expected) => {
      const agentId = await customer.agent();
      const bound = { component_credential_bindings: { llm: credential('llm', 'simulator', tested) } };
      const previewed = (await customer.preview(agentId, bound))['voice_stack'] as { warnings: string[] };
      const saved = (await customer.save(agentId, bound)).body['warnings'] as string[];
      for (const warnings of [saved, previewed.warnings]) {
        const codes = warnings.map((text) => text.split(':')[0]).filter((code) => code?.startsWith('credential_'));
        expect(codes).toEqual(expected);
      }
    },
  );

  it('a voice whose provider has no bound credential can be published if a standby credential exists for it', async () => {
    const agentId = await customer.agent();
    await customer.save(agentId, { languages: ['en', 'de'] });
    const language_profiles = [{ locale: 'de', voice: { provider: 'cartesia', model: 'sonic-3', voice_id: 'v' } }];
    const refusal = expect.objectContaining({
      status: 400,
      fields: expect.objectContaining({ reason: 'credential_missing' }),
    });
    await expect(customer.save(agentId, { language_profiles })).rejects.toEqual(refusal);
    const { organizationId } = customer;
    const standby = { organizationId, kind: 'tts', provider: 'cartesia', standby: true };
    platform.credentials.push({ ...standby, credentialId: newId('cred'), kind: 'stt' });
    await expect(customer.save(agentId, { language_profiles })).rejects.toEqual(refusal);
    platform.credentials.push({ ...standby, credentialId: newId('cred') });
    const saved = (await customer.save(agentId, { language_profiles })).body;
    expect(saved['warnings']).not.toContainEqual(expect.stringMatching(/^credential_missing/));
  });
});
