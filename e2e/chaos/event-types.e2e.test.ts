import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventTypes } from '@parley/contract';
import { briefCallee, Customer } from '../customer';
import { Platform } from '../platform';
import { until } from '../until';

/** What contains this word is not translated. */
const refusedWord = 'untranslatable';

/** A local server with DeepL's protocol that refuses some texts, and with no language model: every request for a completion is refused. */
class LocalProviders {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<LocalProviders> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const refused = request.url !== '/v2/translate' || body.includes(refusedWord);
        response.writeHead(refused ? 400 : 200, { 'content-type': 'application/json' });
        if (refused) return response.end('{}');
        const { text } = JSON.parse(body) as { text: string[] };
        response.end(JSON.stringify({ translations: text.map((one) => ({ text: one.toUpperCase() })) }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new LocalProviders(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Nothing is inserted by hand: each event is the result of requests, of the simulator's carrier, or of a webhook of that carrier. */
describe('every event type of the interface', () => {
  let providers: LocalProviders;
  let platform: Platform;
  let customer: Customer;

  beforeAll(async () => {
    providers = await LocalProviders.start();
    platform = await Platform.start({
      env: { TRANSLATION_PROVIDER: 'deepl', DEEPL_API_URL: providers.url, DEEPL_AUTH_KEY: 'key' },
    });
    customer = await Customer.create(platform);
  });
  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
    await providers?.stop();
  });

  it('is delivered by signed webhooks after real requests', async () => {
    const { api, agentId, endpointId, organizationId, receiver } = customer;
    const fine = async (asked: Promise<{ status: number; body: Record<string, unknown> }>) => {
      const { status, body } = await asked;
      if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body;
    };
    await fine(api.patch(`/v1/agent-endpoints/${endpointId}`, { events: eventTypes }));
    const translation = { enabled: true, target_language: 'de', scope: 'both' };
    await fine(api.patch(`/v1/agents/${agentId}`, { recording_enabled: true, translation }));
    const extraction = { schema: { type: 'object', properties: { day: { type: 'string', description: 'The day' } } } };
    const extracting = (model: object) => api.put(`/v1/agents/${agentId}/extraction`, { ...extraction, model });

    // A conversation with everything that follows from it.
    await fine(extracting({ provider: 'simulator', model: 'rules' }));
    const { call_id: complete } = await customer.call(briefCallee);
    await receiver.eventOf(complete, 'call.extraction.ready');
    await receiver.eventOf(complete, 'call.translation.ready');

    // The same with providers that refuse.
    const credential = { kind: 'llm', provider: 'openai_compatible', name: 'refuses', secret: 'secret' };
    const { component_credential_id } = await fine(
      api.post('/v1/component-credentials', {
        ...{ ...credential, organization_id: organizationId, base_url: `${providers.url}/v1` },
      }),
    );
    await fine(extracting({ provider: 'openai_compatible', model: 'refuses', component_credential_id }));
    await fine(api.patch(`/v1/agents/${agentId}/voice-stack`, { first_message: `Good morning, ${refusedWord}.` }));
    const { call_id: refused } = await customer.call(briefCallee);
    await receiver.eventOf(refused, 'call.extraction.failed');
    await receiver.eventOf(refused, 'call.translation.failed');

    // A busy callee, and a call that is taken back.
    const { call_id: busy } = await customer.call('+15005550001');
    const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
    const later = await fine(api.post('/v1/calls', { agent_id: agentId, to: briefCallee, scheduled_at }));
    await fine(api.post(`/v1/calls/${String(later.call_id)}/cancel`));
    await receiver.eventOf(busy, 'call.failed');
    await receiver.eventOf(String(later.call_id), 'call.canceled');

    // Messages in both directions.
    const [number] = (await api.get<{ data: { phone_number: string }[] }>('/v1/numbers')).body.data;
    const send = (body: string) => fine(api.post('/v1/messages', { agent_id: agentId, to: '+15005550006', body }));
    const translated = String((await send('See you')).message_id);
    const kept = String((await send(refusedWord)).message_id);
    await receive({ MessageSid: randomUUID(), From: '+14155550777', To: number?.phone_number ?? '', Body: 'Hello' });
    await receiver.eventOf(translated, 'sms.translation.ready');
    await receiver.eventOf(translated, 'sms.delivery_updated');
    await receiver.eventOf(kept, 'sms.translation.failed');

    // A campaign with one contact.
    const { campaign_id } = await fine(
      api.post('/v1/campaigns', { agent_id: agentId, name: 'Spring', contacts: [{ to: briefCallee }] }),
    );
    await fine(api.post(`/v1/campaigns/${String(campaign_id)}/launch`));
    await receiver.eventOf(String(campaign_id), 'campaign.completed');

    const seen = await until('every type is delivered', () => {
      const types = new Set(receiver.deliveries.map(({ event }) => event.type));
      return eventTypes.every((type) => types.has(type)) ? types : undefined;
    });
    expect([...seen].sort()).toEqual([...eventTypes].sort());
    expect(receiver.rejected).toEqual([]);
  });

  async function receive(form: Record<string, string>): Promise<void> {
    const [gateway = ''] = platform.baseUrls;
    const url = `${gateway}/v1/carriers/simulator/messages`;
    const signed = Object.keys(form)
      .sort()
      .reduce((text, name) => text + name + (form[name] ?? ''), url);
    const signature = createHmac('sha1', 'simulator').update(signed).digest('base64');
    const headers = { 'x-twilio-signature': signature };
    const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) });
    expect(answer.status).toBe(200);
  }
});
