import { createHmac, randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Customer } from './customer';
import { Platform } from './platform';
import { until } from './until';

interface MessageRecord extends Record<string, unknown> {
  readonly message_id: string;
  readonly status: string;
  readonly carrier_message_id: string | null;
}

const smsEvents = ['sms.sent', 'sms.received', 'sms.delivery_updated', 'sms.translation.ready'];
const account = { sid: 'AC0123456789', token: 'the-token-of-the-account' };

/** A local server with the protocol of Twilio's Programmable Messaging; the test controls when it responds. */
class LocalTwilioProtocolServer {
  readonly sent: string[] = [];
  private constructor(
    private readonly server: http.Server,
    readonly url: string,
  ) {}

  static async start(): Promise<LocalTwilioProtocolServer> {
    const server = http.createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        local.sent.push(new URLSearchParams(text).get('Body') ?? '');
        const answer = JSON.stringify({ sid: `SM${randomUUID().replaceAll('-', '')}` });
        // Long enough for a process to be killed while it waits for the response.
        setTimeout(() => response.writeHead(201, { 'content-type': 'application/json' }).end(answer), 40);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const local = new LocalTwilioProtocolServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return local;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('messages over HTTP', () => {
  let carrier: LocalTwilioProtocolServer;
  let platform: Platform;
  let customer: Customer;
  let simulatorNumber: string;
  const twilioNumber = '+14155550142';

  beforeAll(async () => {
    carrier = await LocalTwilioProtocolServer.start();
    platform = await Platform.start({
      replicas: 2,
      env: { TWILIO_API_URL: carrier.url, MESSAGE_LEASE_SECONDS: '2', MESSAGE_STATUS_TIMEOUT_SECONDS: '2' },
    });
    customer = await Customer.create(platform);
    const { api, organizationId: organization_id, projectId: project_id } = customer;
    const numbers = await api.get<{ data: { phone_number: string }[] }>('/v1/numbers');
    simulatorNumber = numbers.body.data[0]?.phone_number ?? '';
    await api.post('/v1/numbers', { organization_id, project_id, phone_number: twilioNumber, provider: 'twilio' });
    const credential = { organization_id, provider: 'twilio', account_sid: account.sid, auth_token: account.token };
    expect((await api.post('/v1/carrier-credentials', credential)).status).toBe(201);
    const changed = await api.patch(`/v1/agent-endpoints/${customer.endpointId}`, { events: smsEvents });
    expect(changed.status).toBe(200);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
    await carrier?.stop();
  });

  const send = (body: object, key: string = randomUUID()) =>
    customer.api.persist((api) =>
      api.post<MessageRecord>(
        '/v1/messages',
        { agent_id: customer.agentId, to: '+15005550006', from: simulatorNumber, body: 'See you', ...body },
        { 'idempotency-key': key },
      ),
    );
  const atRest = (id: string, ...statuses: string[]) =>
    until(`${id} comes to rest`, async () => {
      const { body } = await customer.api.persist((api) => api.get<MessageRecord>(`/v1/messages/${id}`));
      return statuses.includes(body.status) ? body : undefined;
    });

  it('POST /v1/messages: a message is sent and delivered, and signed webhooks report it in order', async () => {
    const answer = await send({ purpose: 'reminder', metadata: { order: 7 } });
    expect([answer.status, answer.body.status]).toEqual([201, 'queued']);
    const id = answer.body.message_id;
    expect(await atRest(id, 'delivered')).toMatchObject({ from: simulatorNumber, metadata: { order: 7 } });
    const events = await customer.receiver.story(id, 'sms.delivery_updated');
    expect(events.map(({ type, resource_seq }) => [type, resource_seq])).toEqual([
      ['sms.sent', 1],
      ['sms.delivery_updated', 2],
    ]);
    expect(customer.receiver.rejected).toEqual([]);
  });

  it('template_id: a stored template is sent in the requested language, with the agent’s own values for protected variables', async () => {
    const { api, organizationId: organization_id, agentId } = customer;
    const variables = [{ name: 'shop', type: 'string', required: false, default: 'Bakery' }];
    expect((await api.put(`/v1/agents/${agentId}/variables`, { config: { variables } })).status).toBe(200);
    const template = await api.post('/v1/message-templates', {
      organization_id,
      name: 'Reminder',
      texts: { en: 'Hello {{name}}, {{shop}}', et: 'Tere {{name}}, {{shop}}' },
      slots: [{ name: 'name', max_length: 5 }],
      variables: [{ name: 'shop', required: true, protected: true }],
    });
    const { template_id } = template.body;
    const path = `/v1/agents/${agentId}/template-messages`;
    const body = { template_id, to: '+15005550006', from: simulatorNumber, language: 'et-EE', slots: { name: 'Mari' } };
    const sent = await api.post<MessageRecord>(path, { ...body, idempotency_key: 'reminder-1' });
    expect([sent.status, sent.body.body, sent.body.template_id]).toEqual([201, 'Tere Mari, Bakery', template_id]);
    const again = await api.post<MessageRecord>(path, body, { 'idempotency-key': 'reminder-1' });
    expect([again.status, again.body.message_id]).toEqual([201, sent.body.message_id]);
    for (const [fields, status] of [
      [{ body: 'x' }, 400],
      [{ variables: { shop: 'Mine' } }, 400],
      [{ slots: { name: 'Marianne' } }, 400],
      [{ project_id: 'prj_00000000000000000000000000' }, 404],
    ] as const) {
      expect((await api.post(path, { ...body, ...fields })).status).toBe(status);
    }
    const other = await Customer.create(platform);
    expect((await other.api.post(path, body)).status).toBe(404);
    expect((await api.post(path, { ...body, project_id: other.projectId })).status).toBe(404);
    await other.close();
  });

  it('a maintenance window refuses messages and template messages; incoming messages and reads continue', async () => {
    const operator = customer.api.as(platform.development.operator_key);
    await operator.put('/v1/maintenance', { active: true, retry_after_seconds: 5 });
    const fields = {
      MessageSid: `SM${randomUUID()}`,
      From: '+14155550777',
      To: simulatorNumber,
      Body: 'Are you open?',
    };
    try {
      const { api, agentId } = customer;
      const body = { agent_id: agentId, to: '+15005550006', from: simulatorNumber, body: 'x' };
      // Sends requests to every gateway, because each polls the maintenance window separately.
      const refused = await until('every gateway obeys the window', async () => {
        const answers = await Promise.all(platform.baseUrls.map(() => api.post('/v1/messages', body)));
        return answers.every(({ status }) => status === 503) ? answers[0] : undefined;
      });
      expect(refused.body).toMatchObject({ error: 'platform_maintenance', retry_after_seconds: 5 });
      const path = `/v1/agents/${customer.agentId}/template-messages`;
      const template = { template_id: 'tpl_00000000000000000000000000', to: '+15005550006' };
      expect((await customer.api.post(path, template)).body.error).toBe('platform_maintenance');
      expect((await webhook('/v1/carriers/simulator/messages', fields, 'simulator')).status).toBe(200);
      const listed = await customer.api.get<{ data: MessageRecord[] }>('/v1/messages?direction=inbound');
      expect(listed.body.data).toMatchObject([{ status: 'received', carrier_message_id: fields.MessageSid }]);
    } finally {
      await operator.put('/v1/maintenance', { active: false });
    }
    const [message] = (await customer.api.get<{ data: MessageRecord[] }>('/v1/messages?direction=inbound')).body.data;
    await customer.receiver.eventOf(message?.message_id ?? '', 'sms.received');
  });

  async function webhook(path: string, form: Record<string, string>, token: string): Promise<Response> {
    const [gateway = ''] = platform.baseUrls;
    const signed = Object.keys(form)
      .sort()
      .reduce((text, name) => text + name + (form[name] ?? ''), `${gateway}${path}`);
    const signature = createHmac('sha1', token).update(signed).digest('base64');
    return fetch(gateway + path, {
      method: 'POST',
      headers: { 'x-twilio-signature': signature },
      body: new URLSearchParams(form),
    });
  }

  it('kill -9 of telephony while messages are sent: each is sent to Twilio at most once, and the simulator delivers all', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `message ${index}`);
    const sending = texts.flatMap((body) => [send({ body, from: twilioNumber }), send({ body })]);
    await until('the first are out', () => (carrier.sent.length >= 4 ? true : undefined));
    await platform.kill('telephony', 0);
    await platform.kill('telephony', 1);
    const answers = await Promise.all(sending);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    for (const { body } of answers) {
      const wanted = body.provider === 'simulator' ? ['delivered'] : ['sent', 'failed'];
      const message = await atRest(body.message_id, ...wanted);
      if (message.status === 'failed') expect(message.error).toMatchObject({ code: 'outcome_unknown' });
    }
    expect(carrier.sent.length).toBe(new Set(carrier.sent).size);
    const reported = customer.receiver.deliveries.map(({ event }) => event).filter(({ type }) => type === 'sms.sent');
    const byMessage = new Map(reported.map(({ resource_id, id }) => [resource_id, id]));
    for (const { resource_id, id } of reported) expect(byMessage.get(resource_id)).toBe(id);
  });
});
