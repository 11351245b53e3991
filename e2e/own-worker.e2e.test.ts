import { createHash } from 'node:crypto';
import { Api, type Answer } from './api';
import { Customer, type CallRecord } from './customer';
import { requestExample } from './documented/exchanges';
import { workerKey } from './fuzz/resources';
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
const capabilities = {
  carriers: ['simulator'],
  modes: ['hosted'],
  engines: ['cascade'],
  providers: { stt: ['simulator'], llm: ['simulator'], tts: ['simulator'] },
  tools: ['send_sms', 'query_knowledge', 'webhook'],
  controls: ['say', 'press', 'mute', 'recording', 'hang_up', 'live', 'listen'],
};

/** A call in progress that a customer's own worker conducts, with the requests that the OpenAPI document shows. */
describe('an own worker', () => {
  let platform: Platform;
  let customer: Customer;
  let operator: Api;
  let worker: Api;
  let job: Job;
  let at: string;

  beforeAll(async () => {
    platform = await Platform.start({ leaseSeconds: 300 });
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
    const { body: numbers } = await customer.api.get<{ data: { number_id: string }[] }>('/v1/numbers');
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

  it('performs the commands of the API', async () => {
    const call = `/v1/calls/${job.call.call_id}`;
    for (const path of ['say', 'press', 'mute', 'recording/pause', 'recording/resume']) {
      const isBare = path.startsWith('recording');
      const asked = customer.api.post(`${call}/${path}`, isBare ? undefined : shown(`/v1/calls/{call_id}/${path}`));
      const { commands } = await answered(
        worker.post<{ commands: Command[] }>('/v1/worker-jobs/commands', { worker_id, wait_seconds: 5 }),
      );
      const outcome = `${at}/commands/${commands[0]?.command_id ?? ''}/outcome`;
      await answered(worker.post(outcome, shown(`${ofJob}/commands/{command_id}/outcome`)));
      expect((await asked).status).toBe(201);
    }
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
});
