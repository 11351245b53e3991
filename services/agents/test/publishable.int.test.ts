import { TelephonyServiceService, type TelephonyServiceServer } from '@parley/proto/telephony';
import { WebhooksServiceService, type WebhooksServiceServer } from '@parley/proto/webhooks';
import { grpcService, systemClock } from '@parley/runtime';
import { grpcClient, inProcessGrpc } from '@parley/testing';
import { routes } from '@parley/contract';
import { Endpoints } from '../src/agents/endpoints-client';
import { Workers } from '../src/agents/workers-client';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';
import { workflowsOf } from './workflow-requests';

/** The blockers that the simulated telephony service returns, by requested capability. */
const hindered: Readonly<Record<string, { code: string; scope: string; detail: string }>> = {
  'mode:external_audio': {
    code: 'mode_unavailable',
    scope: 'mode',
    detail: 'no worker offers the mode external_audio',
  },
  'tool:transfer_call': {
    code: 'tool_unavailable',
    scope: 'tools',
    detail: 'no worker offers tools of the kind transfer_call',
  },
  'tool:webhook': { code: 'tool_unavailable', scope: 'tools', detail: 'no worker offers tools of the kind webhook' },
  'engine:engine_a_live': {
    code: 'engine_unavailable',
    scope: 'engine',
    detail: 'no worker offers the engine engine_a_live',
  },
};

const webhookTool = {
  type: 'webhook',
  name: 'lookup',
  description: 'Looks something up.',
  parameters: { type: 'object', properties: {} },
  url: 'https://tools.example.com/lookup',
  method: 'POST',
};

describe('whether calls can use the agent, in responses of saves, previews and reads', () => {
  let platform: AgentsPlatform;
  let telephony: Awaited<ReturnType<typeof inProcessGrpc>>;
  let client: ReturnType<typeof grpcClient<TelephonyServiceServer>>;
  let customer: Customer;
  let translator = 'simulator';
  let asked: string[][] = [];

  beforeAll(async () => {
    const { checkConfiguration } = TelephonyServiceService;
    telephony = await inProcessGrpc([
      grpcService<Pick<TelephonyServiceServer, 'checkConfiguration'>>(
        { checkConfiguration },
        {
          checkConfiguration({ needs }) {
            asked.push(needs);
            const hindrances = needs.flatMap((need) => hindered[need] ?? []);
            return Promise.resolve({
              ...{ hindrances, undeclared: hindrances, translator },
              ...{ browser: [], chat: [], hasNumber: true },
            });
          },
        },
      ),
    ]);
    client = grpcClient<TelephonyServiceServer>(TelephonyServiceService, telephony.address);
    platform = await AgentsPlatform.start(undefined, { workers: new Workers(client, systemClock) });
  });
  afterAll(async () => {
    client.close();
    await telephony.stop();
    await platform.stop();
  });
  beforeEach(() => {
    customer = platform.customer();
    [translator, asked] = ['simulator', []];
  });

  /** Returns the responses of a preview and a save of the same body, and checks that a read equals the save. */
  async function both(agentId: string, body: Json): Promise<Json[]> {
    const preview = await customer.preview(agentId, body);
    expect(preview.publishable).toBe(preview.voice_stack.publishable);
    const saved = (await customer.save(agentId, body)).body;
    const { tools: _withNewSecrets, ...lasting } = saved;
    expect((await customer.stack(agentId)).body).toEqual(lasting);
    return [preview.voice_stack as Json, saved];
  }

  it.each<[string, Json, Json, string[]]>([
    ['of an agent that every worker supports', {}, { languages: ['en'] }, []],
    [
      'of a mode that no worker supports, without an address',
      { mode: 'external_audio' },
      { languages: ['en'] },
      ['address_missing', 'mode_unavailable'],
    ],
    [
      'of a mode that no worker supports, with an address',
      { mode: 'external_audio', audio_stream_url: 'wss://agent.example.com/audio' },
      { languages: ['en'] },
      ['mode_unavailable'],
    ],
    ['of a tool that no worker supports', {}, { tools: [webhookTool] }, ['tool_unavailable']],
    ['of an engine that no worker supports', {}, { voice_frontend: 'engine_a_live' }, ['engine_unavailable']],
    ['of an agent without its address', { mode: 'external_text' }, { languages: ['en'] }, ['address_missing']],
    [
      'of an agent with its address',
      { mode: 'external_text', webhook_url: 'https://agent.example.com/turns' },
      { languages: ['en'] },
      [],
    ],
  ])('warnings and publishable %s', async (_, creation, body, codes) => {
    const agentId = await customer.agent(creation);
    for (const answered of await both(agentId, body)) {
      expect(answered.publishable).toBe(codes.length === 0);
      expect((answered.warnings as string[]).map((warning) => warning.split(': ')[0])).toEqual(codes);
    }
  });

  it('a translation without a provider is only a warning', async () => {
    translator = 'none';
    const agentId = await customer.agent({ translation: { enabled: true, target_language: 'de', scope: 'both' } });
    for (const { warnings, publishable } of await both(agentId, { languages: ['en'] })) {
      expect([publishable, warnings]).toEqual([true, [expect.stringMatching(/^translation_unavailable: /)]]);
    }
  });

  it('requests the capabilities of workers that the stack needs, at most once in ten seconds for equal needs', async () => {
    const agentId = await customer.agent();
    await customer.save(agentId, { languages: ['en'] });
    await customer.save(agentId, { first_message: 'Hello' });
    expect(asked).toEqual([['engine:cascade', 'llm:simulator', 'mode:hosted', 'stt:simulator', 'tts:simulator']]);
  });

  it('the response of a save can be sent back and changes nothing', async () => {
    const agentId = await customer.agent();
    const saved = await customer.save(agentId, { languages: ['en'] });
    const again = await customer.save(agentId, { publishable: saved.body.publishable as boolean, languages: ['en'] });
    expect(again.etag).toBe(saved.etag);
  });

  it('a save while telephony is unavailable succeeds with the warning workers_unknown', async () => {
    const gone = await inProcessGrpc([]);
    const noService = grpcClient<TelephonyServiceServer>(TelephonyServiceService, gone.address);
    await gone.stop();
    const lonely = await AgentsPlatform.start(undefined, { workers: new Workers(noService, systemClock) });
    const own = lonely.customer();
    const { body } = await own.save(await own.agent(), { languages: ['en'] });
    expect(body).toMatchObject({ publishable: true, warnings: [expect.stringMatching(/^workers_unknown: /)] });
    noService.close();
    await lonely.stop();
  });

  it('a transfer node that no worker supports is a warning when a workflow is saved, published and restored', async () => {
    const agentId = await customer.agent();
    const workflows = workflowsOf(customer);
    const draftOf = (last: object) => ({
      nodes: [
        { id: 'start', type: 'start' },
        { id: 'last', ...last },
      ],
      edges: [{ from: 'start', to: 'last' }],
    });
    const { body: begun } = await workflows.begin(agentId, { draft: draftOf({ type: 'end' }) });
    expect(begun).not.toHaveProperty('warnings');
    const ends = await workflows.save(agentId, { base_revision: begun.revision, draft: draftOf({ type: 'end' }) });
    expect([ends.warnings, asked]).toEqual([undefined, []]);
    const transfer = { type: 'transfer', to: 'sip:desk@pbx.example', kind: 'warm', announcement: 'A caller for you.' };
    const draft = draftOf(transfer);
    const saved = await workflows.save(agentId, { ...ends, base_revision: ends.revision, draft });
    const published = await workflows.publish(agentId);
    const { body: restored } = await customer.ask(routes.restoreWorkflowVersion, {
      params: { agent_id: agentId, version: '1' },
    });
    for (const { warnings } of [saved, published, restored]) {
      expect(warnings).toEqual([expect.stringMatching(/^tool_unavailable: /)]);
    }
  });

  it('an agent in mode external_audio uses the address of its project’s only endpoint', async () => {
    const agentId = await customer.agent({ mode: 'external_audio' });
    const codes = async () => (await customer.forCall(agentId)).blockers.map(({ code }) => code);
    const saved = async () =>
      ((await customer.save(agentId, { languages: ['en'] })).body.warnings as string[]).map(
        (text) => text.split(':')[0],
      );
    expect([await codes(), await saved()]).toEqual([['address_missing'], ['address_missing', 'mode_unavailable']]);
    platform.audioStreams.set(customer.projectId, 'wss://agent.example.com/audio');
    expect([await codes(), await saved()]).toEqual([[], ['mode_unavailable']]);
  });

  it('while webhooks is unavailable a save warns with address_unknown, and a call is rejected with 503', async () => {
    const gone = await inProcessGrpc([]);
    const away = grpcClient<WebhooksServiceServer>(WebhooksServiceService, gone.address);
    await gone.stop();
    const lonely = await AgentsPlatform.start(undefined, { endpoints: new Endpoints(away) });
    const own = lonely.customer();
    const agentId = await own.agent({ mode: 'external_audio' });
    const { body } = await own.save(agentId, { languages: ['en'] });
    expect(body).toMatchObject({ publishable: true, warnings: [expect.stringMatching(/^address_unknown: /)] });
    await expect(own.forCall(agentId)).rejects.toMatchObject({ status: 503 });
    away.close();
    await lonely.stop();
  });

  it('a missing address is a blocker for calls, with and without a publication', async () => {
    const missing = await customer.agent({ mode: 'external_text' });
    const blockers = async (agentId: string) => (await customer.forCall(agentId)).blockers.map(({ code }) => code);
    expect(await blockers(missing)).toEqual(['address_missing']);
    await customer.save(missing, { languages: ['en'] });
    expect(await blockers(missing)).toEqual(['address_missing']);
    await customer.update(missing, { webhook_url: 'https://agent.example.com/turns' });
    expect(await blockers(missing)).toEqual([]);
  });
});
