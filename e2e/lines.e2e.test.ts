import { find } from '../services/engine/test/waveforms';
import { TwilioProtocolCarrier, type CallAtCarrier, type Scenario } from '../services/telephony/test/twilio/carrier';
import { Customer, type CallRecord } from './customer';
import { requestExample } from './documented/exchanges';
import { Platform } from './platform';
import { until } from './until';

const account = { accountSid: `AC${'1'.repeat(32)}`, authToken: 'token-of-the-account' };
const number = '+14155550143';
const samplesPerMs = 8;

/** The caller's audio is played back, because calls are conducted by a parrot here. */
const talks: Scenario = {
  script: [{ say: 'Can you tell me what an appointment costs?' }, { agentSpeaks: true }, { agentIsSilentForMs: 600 }],
};

/** Calls over a carrier's account, from the request to the audio at the other end. The carrier is a server of this test with Twilio's protocols. */
describe('calls over a carrier', () => {
  let platform: Platform;
  let carrier: TwilioProtocolCarrier;
  let customer: Customer;
  let callees = 5_550_200;

  beforeAll(async () => {
    carrier = await TwilioProtocolCarrier.start(account);
    platform = await Platform.start({
      leaseSeconds: 5,
      env: { TEST_CALL_CONDUCTOR: 'parrot', TWILIO_API_URL: carrier.url, CARRIER_CALLS_PER_SECOND: '100' },
    });
    customer = await Customer.create(platform);
    const { api, organizationId: organization_id, projectId: project_id, agentId: inbound_agent_id } = customer;
    const credential = {
      organization_id,
      provider: 'twilio',
      account_sid: account.accountSid,
      auth_token: account.authToken,
    };
    expect((await api.post('/v1/carrier-credentials', credential)).status).toBe(201);
    const line = { organization_id, project_id, phone_number: number, provider: 'twilio', inbound_agent_id };
    expect((await api.post('/v1/numbers', line)).status).toBe(201);
  });

  afterAll(async () => {
    expect(await carrier?.violations()).toEqual([]);
    await customer?.close();
    await platform?.stop();
    await carrier?.stop();
  });

  async function dial(scenario: Scenario): Promise<{ to: string; callId: string }> {
    const to = `+1415${(callees += 1)}`;
    await carrier.at(to, scenario);
    const body = { agent_id: customer.agentId, to, from: number };
    // A new engine may not have declared its capabilities yet; then the request is repeated.
    const callId = await until('the call is taken', async () => {
      const answer = await customer.api.post<CallRecord & { error?: string }>('/v1/calls', body);
      if (answer.status === 201) return answer.body.call_id;
      expect([answer.status, answer.body.error]).toEqual([400, 'realtime_config_not_runnable']);
      return undefined;
    });
    return { to, callId };
  }

  const atCarrier = (to: string, met: (call: CallAtCarrier) => boolean): Promise<CallAtCarrier> =>
    until('the carrier has the call', async () => (await carrier.calls(to)).find(met));

  const over = (callId: string): Promise<CallRecord> =>
    until(`${callId} is over`, async () => {
      const { body } = await customer.api.persist((api) => api.get<CallRecord>(`/v1/calls/${callId}`));
      return ['completed', 'failed', 'canceled'].includes(body.status) ? body : undefined;
    });

  /** Checks that the middle half second of what was said occurs later in what was heard. */
  async function expectEcho(sid: string): Promise<void> {
    const { said, heard } = await carrier.sound(sid);
    const first = said.findIndex((sample) => Math.abs(sample) > 500);
    const wanted = said.subarray(first + 500 * samplesPerMs, first + 1_000 * samplesPerMs);
    const echo = find(wanted, heard);
    expect(echo.correlation).toBeGreaterThan(0.95);
    expect(echo.at).toBeGreaterThan(first + 500 * samplesPerMs);
  }

  it('carry audio in both directions if the platform calls, and the record shows them', async () => {
    const { to, callId } = await dial(talks);
    const { sid } = await atCarrier(to, ({ status }) => status === 'completed');
    await expectEcho(sid);
    expect(await over(callId)).toMatchObject({
      status: 'completed',
      ended_reason: 'callee_hung_up',
      carrier: 'twilio',
      simulated: false,
    });
    expect(await carrier.calls(to)).toHaveLength(1);
    const events = await customer.receiver.story(callId, 'call.completed');
    expect(events.map(({ type }) => type).filter((type) => type !== 'call.transcript.ready')).toEqual([
      'call.created',
      'call.queued',
      'call.dialing',
      'call.answered',
      'media.started',
      'call.ended',
      'call.completed',
    ]);
    const [{ tokens } = { tokens: [] }] = await carrier.calls(to);
    for (const secret of [...tokens, account.authToken]) expect(platform.log).not.toContain(secret);
  });

  it('carry audio in both directions if someone calls the number', async () => {
    const from = '+14155550199';
    const base = platform.baseUrls[0] ?? '';
    const voiceUrl = `${base}/v1/carriers/twilio/calls`;
    const { sid } = await carrier.ring({ to: number, from, scenario: talks, voiceUrl });
    await atCarrier(number, (call) => call.sid === sid && call.status === 'completed');
    await expectEcho(sid);
    const { body } = await customer.api.get<{ data: CallRecord[] }>('/v1/calls');
    const record = body.data.find((call) => call['from'] === from);
    expect(await over(record?.call_id ?? '')).toMatchObject({
      direction: 'inbound',
      status: 'completed',
      ended_reason: 'caller_hung_up',
      carrier: 'twilio',
    });
  });

  it.each<[Scenario['does'], string]>([
    ['busy', 'busy'],
    ['no-answer', 'no_answer'],
    ['declines', 'declined'],
    ['failed', 'carrier_failure'],
  ])('%s is on the record', async (does, reason) => {
    const { callId } = await dial({ does });
    expect(await over(callId)).toMatchObject({ status: 'failed', ended_reason: reason });
  });

  it('canceling a call during the conversation hangs it up', async () => {
    const { to, callId } = await dial({ ...talks, script: [], stays: true });
    await until('it is answered', async () => {
      const { body } = await customer.api.get<CallRecord>(`/v1/calls/${callId}`);
      return body.status === 'answered';
    });
    expect((await customer.api.post(`/v1/calls/${callId}/cancel`)).status).toBe(200);
    await atCarrier(to, ({ status }) => status === 'completed');
    expect(await over(callId)).toMatchObject({ status: 'completed', ended_reason: 'canceled' });
  });

  it('a worker adopts a call with the token of its line, and its tool and the API transfer it', async () => {
    const { to, callId } = await dial({ media: false });
    const { sid, tokens } = await atCarrier(to, (call) => call.tokens.length > 0);
    const { hosted_key: key } = JSON.parse(platform.secrets) as { hosted_key: string };
    const worker = customer.api.as(key);
    const adoption = { ...requestExample('POST', '/v1/worker-jobs/adopt'), token: tokens[0] };
    const adopted = await worker.post<{ job_id: string; epoch: number }>('/v1/worker-jobs/adopt', adoption);
    expect([adopted.status, adopted.body]).toMatchObject([200, { call: { call_id: callId } }]);
    const { epoch } = adopted.body;
    const job = `/v1/worker-jobs/${adopted.body.job_id}`;
    const report = async (seq: number, ...events: object[]): Promise<void> => {
      expect((await worker.post(`${job}/reports`, { epoch, seq, events })).status).toBe(200);
    };
    await report(1, { type: 'dialing' }, { type: 'answered' }, { type: 'media_started' });
    const byTool = { ...requestExample('POST', '/v1/worker-jobs/{job_id}/transfers'), epoch };
    await carrier.at('+14155550100', { does: 'busy' });
    const tried = await worker.post(`${job}/transfers`, byTool);
    expect([tried.status, tried.body]).toMatchObject([200, { outcome: 'busy' }]);
    const byApi = requestExample('POST', '/v1/calls/{call_id}/transfer');
    const begun = await customer.api.post(`/v1/calls/${callId}/transfer`, byApi);
    expect([begun.status, begun.body]).toMatchObject([201, { call_id: callId, to: byApi.to }]);
    await until('both transfers have failed', async () => {
      const { body } = await customer.api.get<CallRecord & { transfers: { outcome: string }[] }>(`/v1/calls/${callId}`);
      return body.transfers.length === 2 && body.transfers.every(({ outcome }) => outcome === 'busy');
    });
    await report(2, { type: 'ended', ended_reason: 'agent_hung_up' });
    expect((await worker.post(`${job}/complete`, { epoch })).status).toBe(200);
    await carrier.act('stream-ended', sid);
    expect(await over(callId)).toMatchObject({ status: 'completed', ended_reason: 'agent_hung_up' });
  });

  it('if telephony is killed while a telephone rings, the call is answered, conducted and completed, and is placed once', async () => {
    const { to, callId } = await dial({ ...talks, does: 'rings' });
    const { sid } = await atCarrier(to, ({ status }) => status === 'ringing');
    await platform.kill('telephony');
    await carrier.act('answer', sid);
    await atCarrier(to, ({ status }) => status === 'completed');
    await expectEcho(sid);
    expect(await over(callId)).toMatchObject({ status: 'completed', ended_reason: 'callee_hung_up' });
    expect(await carrier.calls(to)).toHaveLength(1);
  });

  it('if the only engine is killed during the conversation, the call ends as worker_lost and its line is hung up', async () => {
    const { to, callId } = await dial({ ...talks, script: [], stays: true });
    await until('it is answered', async () => {
      const { body } = await customer.api.get<CallRecord>(`/v1/calls/${callId}`);
      return body.status === 'answered';
    });
    await platform.kill('engine');
    expect(await over(callId)).toMatchObject({ status: 'completed', ended_reason: 'worker_lost' });
    await atCarrier(to, ({ status }) => status === 'completed');
    expect(await carrier.calls(to)).toHaveLength(1);
  });
});
