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

describe('what a call of an agent is opened with', () => {
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
    customer.ask(routes.rotateToolSecret, {
      params: { agent_id: agentId, name: 'lookup' },
      body: { overlap_hours: overlapHours },
    });

  it('the secrets of its webhook tools, those of a rotation as long as they overlap', async () => {
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

  it('the credentials that the publication of the call binds; of an agent that never published, what it binds now', async () => {
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

  it('nothing of another organization’s agent', async () => {
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
  ] as const)('a save warns of a bound credential that was tested: %s', async (tested, expected) => {
    const agentId = await customer.agent();
    const bound = { component_credential_bindings: { llm: credential('llm', 'simulator', tested) } };
    const previewed = (await customer.preview(agentId, bound))['voice_stack'] as { warnings: string[] };
    const saved = (await customer.save(agentId, bound)).body['warnings'] as string[];
    for (const warnings of [saved, previewed.warnings]) {
      const codes = warnings.map((text) => text.split(':')[0]).filter((code) => code?.startsWith('credential_'));
      expect(codes).toEqual(expected);
    }
  });
});
