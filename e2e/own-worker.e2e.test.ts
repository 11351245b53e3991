import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { Api, type Answer } from './api';
import { Customer, type CallRecord } from './customer';
import { recordExchange, requestExample } from './documented/exchanges';
import { created, finishedDraft, mediaGateway, workerKey } from './fuzz/resources';
import { Platform } from './platform';
import { until } from './until';

interface Job {
  readonly job_id: string;
  readonly epoch: number;
  readonly call: CallRecord;
}

interface Command {
  readonly command_id: string;
  readonly job_id: string;
}

const worker_id = 'own-1';
const assertions = [{ type: 'turns_at_most', turns: 50 }];
const capabilities = {
  carriers: ['simulator'],
  modes: ['hosted'],
  engines: ['cascade'],
  providers: { stt: ['simulator'], llm: ['simulator'], tts: ['simulator'] },
  tools: ['send_sms', 'query_knowledge', 'webhook'],
  controls: ['say', 'press', 'mute', 'recording', 'hang_up', 'live', 'listen'],
};

/** A call in progress that a customer's own worker conducts, and what else needs a certain state, with the requests that the OpenAPI document shows. */
describe('an own worker', () => {
  let platform: Platform;
  let customer: Customer;
  let operator: Api;
  let worker: Api;
  let job: Job;
  let at: string;
  let from: string;

  beforeAll(async () => {
    // The engine takes one simulation at a time, so that some are left for our worker.
    platform = await Platform.start({ leaseSeconds: 300, env: { SIMULATION_CAPACITY: '1' } });
    operator = new Api(() => platform.baseUrls, platform.development.operator_key);
    customer = await Customer.create(platform);
    worker = operator.as(await workerKey(operator, customer.organizationId));
    await answered(customer.api.patch(`/v1/agents/${customer.agentId}`, { recording_enabled: true }));
    const webhook = {
      type: 'webhook',
      name: 'example',
      description: 'Finds',
      method: 'POST',
      parameters: noParameters,
    };
    const tools = [
      { ...webhook, url: 'https://host-1.invalid/' },
      { type: 'builtin', name: 'send_sms' },
      { type: 'builtin', name: 'query_knowledge' },
    ];
    await answered(customer.api.patch(`/v1/agents/${customer.agentId}/voice-stack`, { tools }));
    const { body: numbers } = await customer.api.get<{ data: { number_id: string; phone_number: string }[] }>(
      '/v1/numbers',
    );
    from = numbers.data[0]?.phone_number ?? '';
    await answered(customer.api.patch(`/v1/numbers/${numbers.data[0]?.number_id ?? ''}`, { dialer: 'own' }));
    // The first claim declares what the worker can do. Without it no call is accepted.
    await claimed();
    await customer.call('+14155550100');
    job = await until('a job for our worker', claimed);
    at = `/v1/worker-jobs/${job.job_id}`;
    const events = [{ type: 'dialing' }, { type: 'answered' }, { type: 'media_started' }];
    await answered(worker.post(`${at}/reports`, { epoch: job.epoch, seq: 1, events }));
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  const noParameters = { type: 'object', properties: {} };
  const claimed = async (): Promise<Job | undefined> => {
    const claim = { kinds: ['call'], capacity: 1, worker_id, wait_seconds: 0, capabilities };
    return (await worker.post<{ jobs: Job[] }>('/v1/worker-jobs/claim', claim)).body.jobs[0];
  };
  const shown = (template: string) => requestExample('POST', template);
  const ofJob = '/v1/worker-jobs/{job_id}';

  async function answered<B>(pending: Promise<Answer<B>>): Promise<B> {
    const { status, body } = await pending;
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  }

  it('reports turns, runs tools, sends messages, asks the knowledge and opens credentials', async () => {
    for (const path of ['turns', 'tool-calls', 'messages', 'knowledge-queries', 'credentials'])
      await answered(worker.post(`${at}/${path}`, shown(`${ofJob}/${path}`)));
    const toolCall = `${at}/tool-calls/${String(shown(`${ofJob}/tool-calls`).tool_call_id)}`;
    const outcome = await answered(
      worker.post(`${toolCall}/outcome`, shown(`${ofJob}/tool-calls/{tool_call_id}/outcome`)),
    );
    expect(outcome).toMatchObject({ run: false, outcome: 'succeeded', result: 'example' });
    await answered(worker.post('/v1/component-credentials/lease', { call_id: job.call.call_id }));
  });

  /** Takes the next command and reports that it was performed. */
  const perform = async (): Promise<void> => {
    const { commands } = await answered(
      worker.post<{ commands: Command[] }>('/v1/worker-jobs/commands', { worker_id, wait_seconds: 5 }),
    );
    const outcome = `${at}/commands/${commands[0]?.command_id ?? ''}/outcome`;
    await answered(worker.post(outcome, shown(`${ofJob}/commands/{command_id}/outcome`)));
  };

  it('performs the commands of the API', async () => {
    const call = `/v1/calls/${job.call.call_id}`;
    for (const path of ['say', 'press', 'mute', 'recording/pause', 'recording/resume']) {
      const isBare = path.startsWith('recording');
      const asked = customer.api.post(`${call}/${path}`, isBare ? undefined : shown(`/v1/calls/{call_id}/${path}`));
      await perform();
      expect((await asked).status).toBe(201);
    }
  });

  it('lets someone listen, who first receives the format of the sound', async () => {
    const path = `/v1/calls/${job.call.call_id}/live/audio`;
    const url = `${platform.baseUrls[0]?.replace('http', 'ws') ?? ''}${path}`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${customer.key}` } });
    const first = once(socket, 'message') as Promise<[Buffer]>;
    await perform();
    const received = JSON.parse((await first)[0].toString()) as unknown;
    socket.close();
    expect(received).toMatchObject({ type: 'start', call_id: job.call.call_id });
    // The document shows the first message of the websocket as the success.
    const success = { status: 200, contentType: 'application/json', received };
    recordExchange({ method: 'GET', path, sent: undefined, ...success });
  });

  it('uploads the recording and the sound for listeners, and completes the job', async () => {
    // Ten milliseconds, which count as the duration of the example.
    const audio = Buffer.alloc(160, 0xff);
    const bytes = { 'content-type': 'application/octet-stream' };
    const put = (path: string, method: string) =>
      worker.request(method, `${path}?epoch=${job.epoch}`, { raw: audio, headers: bytes });
    await answered(put(`${at}/recording/parts/1`, 'PUT'));
    await answered(put(`${at}/live-audio`, 'POST'));
    await answered(worker.post(`${at}/hand-over`, shown(`${ofJob}/hand-over`)));
    const events = [{ type: 'ended', ended_reason: 'callee_hung_up' }];
    await answered(worker.post(`${at}/reports`, { epoch: job.epoch, seq: 2, events }));
    const sha256 = createHash('sha256').update(audio).digest('hex');
    const recording = { ...shown(`${ofJob}/recording/complete`), sha256 };
    await answered(worker.post(`${at}/recording/complete`, recording));
    await answered(worker.post(`${at}/complete`, shown(`${ofJob}/complete`)));
    expect(await customer.finished(job.call.call_id)).toMatchObject({ ended_reason: 'callee_hung_up' });
  });

  it('a carrier reports calls and messages with signed forms', async () => {
    const { api, organizationId: organization_id, agentId: agent_id } = customer;
    const twilio = { account_sid: 'AC-own', auth_token: 'the-token-of-the-account' };
    const stored = { organization_id, provider: 'twilio', ...twilio };
    await created(api, '/v1/carrier-credentials', stored, 'carrier_credential_id');
    const send = async (provider: 'twilio' | 'simulator', path: string, more: object, query = '') => {
      const form = { ...shown(`/v1/carriers/{provider}/${path}`), ...more };
      const at = `/v1/carriers/${provider}/${path}${query}`;
      const token = provider === 'twilio' ? twilio.auth_token : 'simulator';
      const signature = createHmac('sha1', token)
        .update(`${platform.baseUrls[0] ?? ''}${at}${Object.entries(form).sort().flat().join('')}`)
        .digest('base64');
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
      const raw = new URLSearchParams(form as Record<string, string>).toString();
      expect([at, (await api.as(undefined).request('POST', at, { raw, headers })).status]).toEqual([at, 200]);
    };
    const account = { AccountSid: twilio.account_sid };
    // No organization has this number, so that the call is rejected.
    await send('twilio', 'calls', account);
    await send('twilio', 'call-statuses', account);
    await send('simulator', 'messages', { To: from });
    const message = { agent_id, from, to: '+15005550006', body: 'See you' };
    const messageId = await created(api, '/v1/messages', message, 'message_id');
    const MessageSid = await until('the carrier has the message', async () => {
      const { body } = await api.get<{ carrier_message_id: string | null }>(`/v1/messages/${messageId}`);
      return body.carrier_message_id ?? undefined;
    });
    await send('simulator', 'statuses', { MessageSid }, `?message_id=${messageId}`);
  });

  it('gets a call that policy holds for review only after another key has approved it', async () => {
    const policy = `/v1/organizations/${customer.organizationId}/policy`;
    await answered(operator.put(policy, { consent_required: { mode: 'enforce', action: 'review' } }));
    const held = await customer.call('+14155550100');
    expect(held.status).toBe('needs_review');
    const path = '/v1/calls/{call_id}/reviews/resolve';
    const approved = await answered(operator.post(path.replace('{call_id}', held.call_id), shown(path)));
    expect(approved).toMatchObject({ call_id: held.call_id, status: 'queued' });
    expect((await until('the approved call', claimed)).call.call_id).toBe(held.call_id);
  });

  it('has simulated conversations, and their run can be canceled', async () => {
    const { api, organizationId: organization_id, projectId: project_id } = customer;
    const home = { organization_id, project_id };
    const account = { organization_id, kind: 'llm', provider: 'openai_compatible', name: 'own', secret: 'secret' };
    const llm = await created(
      api,
      '/v1/component-credentials',
      { ...account, base_url: 'https://host-1.invalid/v1' },
      'component_credential_id',
    );
    const agent_id = await created(api, '/v1/agents', { ...home, mode: 'hosted' }, 'agent_id');
    const stack = { languages: ['en'], model: { provider: 'openai_compatible', model: 'm' } };
    const bound = { ...stack, component_credential_bindings: { llm } };
    await answered(api.patch(`/v1/agents/${agent_id}/voice-stack`, bound));
    const scenarios = Array.from({ length: 20 }, (_, n) => ({
      name: `hello ${n}`,
      callee: { type: 'script', turns: ['Hello?'] },
      assertions,
    }));
    const suite = { ...home, agent_id, name: 'Hello', scenarios };
    const runs = `/v1/simulation-suites/${await created(api, '/v1/simulation-suites', suite, 'simulation_suite_id')}/runs`;
    // The engine may not have asked for simulations yet; then the request is repeated.
    const run = await until('a run', async () => {
      const { status, body } = await api.post<{ simulation_run_id: string }>(runs, {});
      return status === 201 ? body.simulation_run_id : undefined;
    });
    const claim = { capacity: 1, worker_id, wait_seconds: 5 };
    const { jobs } = await answered(worker.post<{ jobs: Job[] }>('/v1/simulation-jobs/claim', claim));
    for (const path of ['credentials', 'results'])
      await answered(
        worker.post(
          `/v1/simulation-jobs/${jobs[0]?.job_id ?? ''}/${path}`,
          shown(`/v1/simulation-jobs/{job_id}/${path}`),
        ),
      );
    expect(await answered(api.post(`/v1/simulation-runs/${run}/cancel`))).toMatchObject({ status: 'canceled' });
  });

  it('a media gateway uploads the recording and the transcript of a call that it has answered, which becomes a scenario', async () => {
    const { api: gateway, callId } = await mediaGateway(customer, { recording_enabled: true });
    const call = `/v1/gateway/calls/${callId}`;
    const audio = Buffer.alloc(160, 0xff);
    const sha256 = createHash('sha256').update(audio).digest('hex');
    await answered(gateway.post(`${call}/lifecycle`, shown('/v1/gateway/calls/{call_id}/lifecycle')));
    const bytes = { 'content-type': 'application/octet-stream' };
    await answered(gateway.request('PUT', `${call}/recording/parts/1`, { raw: audio, headers: bytes }));
    const events = [{ type: 'ended', ended_reason: 'caller_hung_up' }];
    await answered(gateway.post(`${call}/lifecycle`, { seq: 2, events }));
    const whole = { ...shown('/v1/gateway/calls/{call_id}/recording/complete'), sha256 };
    expect(await answered(gateway.post(`${call}/recording/complete`, whole))).toMatchObject({ parts: 1, sha256 });
    const turns = [{ speaker: 'caller', text: 'Hello?', started_ms: 0, ended_ms: 10 }];
    await answered(gateway.post(`${call}/artifacts`, { transcript: { turns } }));
    const { agent_id, project_id } = await answered(customer.api.get(`/v1/calls/${callId}`));
    const of = { organization_id: customer.organizationId, project_id, agent_id };
    const scenarios = [{ name: 'Hello', callee: { type: 'script', turns: ['Hi'] }, assertions }];
    const suites = '/v1/simulation-suites';
    const suite = `${suites}/${await created(customer.api, suites, { ...of, name: 'Hello', scenarios }, 'simulation_suite_id')}`;
    const example = shown('/v1/simulation-suites/{simulation_suite_id}/scenarios');
    const added = await answered(customer.api.post(`${suite}/scenarios`, { ...example, call_id: callId }));
    expect(added.scenarios).toMatchObject([{ name: 'Hello' }, { callee: { type: 'script', turns: ['Hello?'] } }]);
  });

  it('extractions, workflows and documents are deleted, and return what they were', async () => {
    const { api, agentId, organizationId: organization_id, projectId: project_id } = customer;
    const agent = `/v1/agents/${agentId}`;
    const schema = { type: 'object', properties: { day: { type: 'string' } } };
    await answered(api.put(`${agent}/extraction`, { schema }));
    await created(api, `${agent}/workflow/draft`, { draft: finishedDraft }, 'revision');
    await answered(api.post(`${agent}/workflow/publish`));
    const base = { organization_id, project_id, name: 'Hours' };
    const bases = '/v1/knowledge-bases';
    const documents = `${bases}/${await created(api, bases, base, 'knowledge_base_id')}/documents`;
    const document = await created(api, documents, { name: 'Hours', text: 'Open on Monday.' }, 'document_id');
    const paths = [`${agent}/extraction`, `${agent}/workflow`, `/v1/knowledge-documents/${document}`];
    for (const path of paths) expect([path, (await api.delete(path)).status]).toEqual([path, 200]);
  });

  it('an operator verifies a number and confirms a top-up, and the lists of the customer show what there is', async () => {
    const { api, organizationId: organization_id, projectId: project_id, agentId: agent_id } = customer;
    const number = { organization_id, project_id, phone_number: '+14155550171', provider: 'twilio' };
    const numberId = await created(api, '/v1/numbers', number, 'number_id');
    const verified = await answered(
      operator.post(`/v1/numbers/${numberId}/verify`, shown('/v1/numbers/{number_id}/verify')),
    );
    expect(verified).toMatchObject({ phone_number: number.phone_number, verified_at: expect.any(String) });
    const topUp = { organization_id, amount_micros: 700 };
    const topUpId = await created(api, '/v1/wallet/top-ups', topUp, 'top_up_id');
    await answered(operator.post(`/v1/wallet/top-ups/${topUpId}/confirm`));
    const campaign = { agent_id, name: 'Spring', from: number.phone_number };
    const contacts = `/v1/campaigns/${await created(api, '/v1/campaigns', campaign, 'campaign_id')}/contacts`;
    const headers = { 'content-type': 'text/csv' };
    const imported = await answered(api.request('POST', contacts, { raw: 'to\nunknown\n+15005550006\n', headers }));
    expect(imported).toMatchObject({ added: 1, rejected: 1 });
    const faults = `${contacts.replace('contacts', 'imports')}/${String(imported.import_id)}/faults`;
    for (const path of ['/v1/wallet/ledger', '/v1/agents', '/v1/calls', '/v1/campaigns', faults]) {
      const { data } = await answered(api.get<{ data: unknown[] }>(path));
      expect([path, data.length > 0]).toEqual([path, true]);
    }
  });

  it('an attempt of a campaign that policy holds for review is resolved', async () => {
    const { api, agentId: agent_id } = customer;
    const campaign = `/v1/campaigns/${await created(api, '/v1/campaigns', { agent_id, name: 'Held', from }, 'campaign_id')}`;
    await created(api, `${campaign}/contacts`, { contacts: [{ to: '+15005550006' }] }, 'import_id');
    await answered(api.post(`${campaign}/launch`));
    const attempt = await until('an attempt to review', async () => {
      const { body } = await api.get<{ data: { attempt_id: string }[] }>(`${campaign}/attempts?status=review`);
      return body.data[0]?.attempt_id;
    });
    const example = shown('/v1/campaigns/{campaign_id}/reviews/{attempt_id}/resolve');
    const resolved = await answered(operator.post(`${campaign}/reviews/${attempt}/resolve`, example));
    expect(resolved).toMatchObject({ attempt_id: attempt, status: 'approved' });
  });
});
