import type { Api } from '../api';
import type { CallRecord, Customer } from '../customer';
import { until } from '../until';

export interface Component {
  readonly provider: string;
  readonly model: string;
  readonly voice_id?: string;
}

/** The catalogue's components that need no account, by field. */
export type Components = Readonly<Record<string, readonly Component[]>>;

interface Provider {
  readonly provider: string;
  readonly requires_account: boolean;
  readonly models: readonly { readonly model: string }[];
}

export function componentsOf(catalogue: Readonly<Record<string, unknown>>): Components {
  const of = (name: string): Component[] =>
    (catalogue[name] as Provider[])
      .filter((entry) => !entry.requires_account)
      .flatMap(({ provider, models }) => models.map(({ model }) => ({ provider, model })));
  const voices = of('voices').map((voice) => ({ ...voice, voice_id: 'sim-anna' }));
  return { transcriber: of('transcribers'), model: of('models'), voice: voices };
}

/** Creates a record and returns its id. */
export async function created(api: Api, path: string, body: object, id: string): Promise<string> {
  const answer = await api.post(path, body);
  if (answer.status !== 201 && answer.status !== 202)
    throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return String(answer.body[id]);
}

let numbers = 0;
const phoneNumber = (): string => `+1212${String(Date.now() % 10_000).padStart(4, '0')}${String(100 + numbers++)}`;

/** Creates a project with an agent, an endpoint and a number, and a key. */
export async function resources(customer: Customer): Promise<Record<string, string>> {
  const { api, organizationId: organization_id } = customer;
  const project_id = await created(
    api,
    `/v1/organizations/${organization_id}/projects`,
    { name: 'Fuzz' },
    'project_id',
  );
  const home = { organization_id, project_id };
  const phone = { ...home, phone_number: phoneNumber(), provider: 'simulator' };
  const endpoint = { ...home, webhook_url: 'https://a.invalid/', audio_stream_url: 'wss://a.invalid/' };
  const agent_id = await created(api, '/v1/agents', { ...home, mode: 'hosted', name: 'Fuzz' }, 'agent_id');
  // Publishes once, so that there is a version.
  const stack = `/v1/agents/${agent_id}/voice-stack`;
  const published = await api.patch(stack, { languages: ['en'] });
  if (published.status !== 200) throw new Error(`${stack}: ${published.status} ${JSON.stringify(published.body)}`);
  const number_id = await created(api, '/v1/numbers', phone, 'number_id');
  const numberList = await api.get<{ data: { phone_number: string; project_id: string }[] }>('/v1/numbers');
  const callers = numberList.body.data.filter((number) => number.project_id === customer.projectId);
  const campaign = await pausedCampaign(customer, callers[0]?.phone_number);
  const knowledge_base_id = await created(api, '/v1/knowledge-bases', { ...home, name: 'Fuzz' }, 'knowledge_base_id');
  return {
    project_id,
    agent_id,
    ...campaign,
    template_id: await created(
      api,
      '/v1/message-templates',
      { organization_id, name: 'Fuzz', texts: { en: 'Hello' } },
      'template_id',
    ),
    connection_id: await created(
      api,
      '/v1/connections',
      {
        ...home,
        name: 'Fuzz',
        base_url: 'https://a.invalid',
        authentication: { type: 'none' },
        actions: connectionActions,
      },
      'connection_id',
    ),
    knowledge_base_id,
    verification_id: await created(api, '/v1/verifications', { kind: 'business' }, 'verification_id'),
    demo_of: await created(api, `/v1/agents/${agent_id}/demo`, {}, 'agent_id'),
    extraction_rerun_id: await anExtraction(api, agent_id),
    ...(await aSuite(api, { ...home, agent_id })),
    document_id: await created(
      api,
      `/v1/knowledge-bases/${knowledge_base_id}/documents`,
      { name: 'Fuzz', text: 'Fuzz' },
      'document_id',
    ),
    agent_endpoint_id: await created(api, '/v1/agent-endpoints', endpoint, 'agent_endpoint_id'),
    number_id,
    sip_trunk_id: await created(
      api,
      '/v1/sip-trunks',
      { organization_id, name: 'Fuzz', host: 'a.invalid', transport: 'udp', codecs: ['pcmu'] },
      'sip_trunk_id',
    ),
    erasure_id: await endedErasure(customer),
    top_up_id: await created(api, '/v1/wallet/top-ups', { organization_id, amount_micros: 1 }, 'top_up_id'),
    message_id: await created(api, '/v1/messages', { agent_id, to: '+15005550006', body: 'Fuzz' }, 'message_id'),
    component_credential_id: await created(
      api,
      '/v1/component-credentials',
      // Tests of this credential send a request to a host that cannot be resolved.
      {
        organization_id,
        kind: 'stt',
        provider: 'deepgram',
        name: 'Fuzz',
        secret: 'fuzz',
        base_url: 'https://a.invalid',
      },
      'component_credential_id',
    ),
    carrier_credential_id: await created(
      api,
      '/v1/carrier-credentials',
      { organization_id, provider: 'twilio', account_sid: 'AC-fuzz', auth_token: 'fuzz' },
      'carrier_credential_id',
    ),
    gateway_token_id: await created(
      api,
      '/v1/gateway-tokens',
      { organization_id, deployment_name: 'fuzz' },
      'gateway_token_id',
    ),
    key_id: await created(api, '/v1/api-keys', { organization_id, name: 'fuzz', scopes: ['agents:read'] }, 'key_id'),
    caller_number: String(callers[0]?.phone_number),
    own_number: phone.phone_number,
  };
}

/** Creates a suite of scenarios with a run. */
async function aSuite(api: Api, agent: object): Promise<{ simulation_suite_id: string; simulation_run_id: string }> {
  const assertions = [{ type: 'turns_at_most', turns: 50 }];
  const scenarios = [{ name: 'hello', callee: { type: 'script', turns: ['Hello?'] }, assertions }];
  const suite = { ...agent, name: 'Fuzz', scenarios };
  const simulation_suite_id = await created(api, '/v1/simulation-suites', suite, 'simulation_suite_id');
  const runs = `/v1/simulation-suites/${simulation_suite_id}/runs`;
  return { simulation_suite_id, simulation_run_id: await created(api, runs, {}, 'simulation_run_id') };
}

/** Configures an extraction for an agent, and creates a rerun for earlier calls, of which there are none. */
async function anExtraction(api: Api, agentId: string): Promise<string> {
  const path = `/v1/agents/${agentId}/extraction`;
  const schema = { type: 'object', properties: { day: { type: 'string' } } };
  const { status } = await api.request('PUT', path, { body: { schema } });
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  const period = { from: '2026-01-01T00:00:00Z', to: '2026-01-31T00:00:00Z' };
  return created(api, `${path}/reruns`, period, 'extraction_rerun_id');
}

/** Creates an erasure of an otherwise unused number and waits until it has finished, so that its state does not change any more. */
async function endedErasure({ api, organizationId }: Customer): Promise<string> {
  const body = { organization_id: organizationId, phone_number: '+15005550193' };
  const erasureId = await created(api, '/v1/erasures', body, 'erasure_id');
  return until('an erasure is done', async () => {
    const { body: erasure } = await api.get<{ status: string }>(`/v1/erasures/${erasureId}`);
    return erasure.status === 'done' ? erasureId : undefined;
  });
}

/** Creates a campaign that has called one contact, will call it again later, and is paused, so that its state does not change any more. */
async function pausedCampaign({ api, agentId }: Customer, from: string | undefined): Promise<Record<string, string>> {
  const retry = { attempts: 2, delay_minutes: 10_080, on: ['busy'] };
  const campaign_id = await created(
    api,
    '/v1/campaigns',
    { agent_id: agentId, name: 'Fuzz', from, retry },
    'campaign_id',
  );
  const path = `/v1/campaigns/${campaign_id}`;
  const import_id = await created(api, `${path}/contacts`, { contacts: [{ to: '+15005550001' }] }, 'import_id');
  await api.post(`${path}/launch`);
  const attempt_id = await until('somebody was called and is to be called again', async () => {
    const { body } = await api.get<{ data: { attempt_id: string; status: string }[] }>(`${path}/attempts`);
    return body.data.find(({ status }) => status === 'over')?.attempt_id;
  });
  // Paused, so that no contact is called while tests read it.
  await api.post(`${path}/pause`);
  return { campaign_id, import_id, attempt_id };
}

/**
 * Makes a call and waits for its end; returns it with one delivery of its events. Chats are calls with another channel and need a language model, so the id of
 * this call is also used as that of a chat.
 */
export async function finishedCall(
  customer: Customer,
): Promise<{ call_id: string; chat_session_id: string; delivery_id: string }> {
  const { call_id } = await customer.call('+15005550006');
  await customer.finished(call_id);
  const list = `/v1/agent-endpoints/${customer.endpointId}/deliveries`;
  const delivery_id = await until('a delivery', async () => {
    const { body } = await customer.api.get<{ data: { delivery_id: string }[] }>(list);
    return body.data[0]?.delivery_id;
  });
  return { call_id, chat_session_id: `chs_${call_id.slice('call_'.length)}`, delivery_id };
}

/** The actions of the connection. */
export const connectionActions = [
  {
    name: 'create_ticket',
    method: 'POST',
    path: '/tickets/{queue}',
    parameters: { type: 'object', properties: { queue: { type: 'string' } } },
    description: 'Creates a ticket.',
  },
];

/** Creates the key of an organization's own worker, which may also lease component credentials. Only an operator can create it. */
export async function workerKey(operator: Api, organization_id: string): Promise<string> {
  const scopes = ['worker_jobs:claim', 'worker_jobs:heartbeat', 'component_credentials:lease'];
  return created(operator, '/v1/api-keys', { organization_id, name: 'worker', scopes }, 'token');
}

interface Job {
  readonly job_id: string;
  readonly epoch: number;
  readonly call: CallRecord;
}

/** Returns a job that is assigned to the organization's own workers, so that this test gets it and not the platform's engine. */
export async function claimedJob(
  customer: Customer,
  worker: Api,
): Promise<{ jobId: string; epoch: number; callId: string }> {
  const { body: numbers } = await customer.api.get<{ data: { number_id: string; project_id: string }[] }>(
    '/v1/numbers',
  );
  const number = numbers.data.find(({ project_id }) => project_id === customer.projectId);
  const dialedBy = async (dialer: string): Promise<void> => {
    const { status } = await customer.api.patch(`/v1/numbers/${number?.number_id ?? ''}`, { dialer });
    if (status !== 200) throw new Error(`dialer ${dialer}: ${status}`);
  };
  const claimed = async (): Promise<Job | undefined> => {
    const claim = { kinds: ['call'], capacity: 1, worker_id: 'fuzz-0', wait_seconds: 0 };
    return (await worker.post<{ jobs: Job[] }>('/v1/worker-jobs/claim', claim)).body.jobs[0];
  };
  await dialedBy('own');
  // The claim declares the capabilities of the worker. Without it no call is accepted.
  await claimed();
  await customer.call('+15005550006');
  // The call keeps the dialer with which it was placed.
  await dialedBy('hosted');
  const job = await until('a job for our worker', claimed);
  return { jobId: job.job_id, epoch: job.epoch, callId: job.call.call_id };
}

/** A draft with a definition that can be published. */
export const finishedDraft = {
  nodes: [
    { id: 'start', type: 'start' },
    { id: 'end', type: 'end' },
  ],
  edges: [{ from: 'start', to: 'end' }],
};

/** Agents for routes that need one in a certain state, by the names that `idFor` uses. */
export interface SpecialAgents {
  readonly drafting: string;
  /** Publishing removes its draft. */
  readonly publishing: string;
  /** An agent whose workflow has a version. */
  readonly published: string;
  /** An agent with a webhook tool named by `toolName`. */
  readonly tooled: string;
}

export const toolName = 'look_up';

export async function specialAgents(customer: Customer): Promise<SpecialAgents> {
  const { api, organizationId: organization_id, projectId: project_id } = customer;
  const agent = (): Promise<string> =>
    created(api, '/v1/agents', { organization_id, project_id, mode: 'hosted' }, 'agent_id');
  const drafting = async (): Promise<string> => {
    const agentId = await agent();
    await created(api, `/v1/agents/${agentId}/workflow/draft`, { draft: finishedDraft }, 'revision');
    return agentId;
  };
  const accepted = async (request: Promise<{ status: number; body: object }>): Promise<void> => {
    const { status, body } = await request;
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  };
  const [published, tooled] = [await drafting(), await agent()];
  await accepted(api.post(`/v1/agents/${published}/workflow/publish`, {}));
  const parameters = { type: 'object', properties: {} };
  const url = 'https://host-1.invalid/tool';
  const tool = { type: 'webhook', name: toolName, description: 'Looks up', method: 'POST', url, parameters };
  await accepted(api.patch(`/v1/agents/${tooled}/voice-stack`, { tools: [tool] }));
  return { drafting: await drafting(), publishing: await drafting(), published, tooled };
}

/** A client of a media gateway, the number that it answers, and a call that it has accepted. */
export interface MediaGateway {
  readonly api: Api;
  readonly number: string;
  readonly callId: string;
}

/** @param settings of the agent that answers */
export async function mediaGateway(customer: Customer, settings: object = {}): Promise<MediaGateway> {
  const { api, organizationId: organization_id } = customer;
  const token = { organization_id, deployment_name: 'fuzz gateway' };
  const gateway = api.as(await created(api, '/v1/gateway-tokens', token, 'token'));
  const project_id = await created(
    api,
    `/v1/organizations/${organization_id}/projects`,
    { name: 'Incoming' },
    'project_id',
  );
  const own = await created(
    api,
    '/v1/agents',
    { organization_id, project_id, mode: 'hosted', language: 'en', ...settings },
    'agent_id',
  );
  const number = phoneNumber();
  const answered = { organization_id, project_id, phone_number: number, provider: 'simulator', inbound_agent_id: own };
  await created(api, '/v1/numbers', answered, 'number_id');
  const incoming = { to: number, from: '+15005550001', gateway_call_id: 'fuzz-0' };
  const { status, body } = await gateway.post<{ call: CallRecord }>('/v1/gateway/inbound-calls', incoming);
  if (status !== 200) throw new Error(`the gateway's call: ${status} ${JSON.stringify(body)}`);
  return { api: gateway, number, callId: body.call.call_id };
}
