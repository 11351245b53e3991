import { TwilioProtocolCarrier } from '../services/telephony/test/twilio/carrier';
import { Customer, type CallRecord } from './customer';
import { Platform } from './platform';
import { ModelServer } from './spoken/model-server';
import { useOwnServers } from './spoken/own-servers';
import { until } from './until';

const account = { accountSid: `AC${'2'.repeat(32)}`, authToken: 'token-of-the-account' };
const number = '+14155550144';
const greeting = 'Good morning, how can I help?';
const question = 'What does an appointment cost?';
const answer = 'It costs forty dollars.';
/** The speaking rate of the test's voice. */
const msPerCharacter = 45;

/** Milliseconds of 8 kHz audio that are not silent. */
function soundMsOf(heard: Int16Array): number {
  let ms = 0;
  for (let at = 0; at + 80 <= heard.length; at += 80)
    if (heard.subarray(at, at + 80).some((sample) => Math.abs(sample) > 1_000)) ms += 10;
  return ms;
}

/** A person on the telephone who hears the greeting, asks a question, hears the answer and hangs up. */
const asks = {
  script: [
    { agentSpeaks: true },
    { agentIsSilentForMs: 800 },
    { say: question },
    { agentSpeaks: true },
    { agentIsSilentForMs: 1_500 },
  ],
};

/** An agent with the customer's own servers, on the lines of a carrier. The carrier is a server of this test with Twilio's protocols. */
describe('a conversation over a carrier', () => {
  let platform: Platform;
  let carrier: TwilioProtocolCarrier;
  let customer: Customer;
  let models: ModelServer;

  beforeAll(async () => {
    carrier = await TwilioProtocolCarrier.start(account);
    platform = await Platform.start({
      leaseSeconds: 5,
      env: {
        TEST_CALL_CONDUCTOR: 'agent',
        TWILIO_API_URL: carrier.url,
        CARRIER_CALLS_PER_SECOND: '100',
        SIMULATION_SPOKEN_CAPACITY: '1',
        RECORDING_GRACE_SECONDS: '1',
      },
    });
    customer = await Customer.create(platform);
    models = await ModelServer.start((said) => (said === question ? answer : `Answer to: ${said}`));
    await useOwnServers(customer, models);
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
    const recorded = await api.patch(`/v1/agents/${customer.agentId}`, { recording_enabled: true });
    expect(recorded.status).toBe(200);
  });

  afterAll(async () => {
    expect(await carrier?.violations()).toEqual([]);
    await customer?.close();
    await models?.stop();
    await platform?.stop();
    await carrier?.stop();
  });

  async function expectConversation(callId: string, sid: string, person: string): Promise<void> {
    const transcript = await until('the transcript', async () => {
      const { status, body } = await customer.api.get<{ turns: { speaker: string; text: string }[] }>(
        `/v1/calls/${callId}/transcript`,
      );
      return status === 200 ? body.turns : undefined;
    });
    expect(transcript.map(({ speaker, text }) => [speaker, text])).toEqual([
      ['agent', greeting],
      [person, question],
      ['agent', answer],
    ]);
    // The agent's speech on the line is as long as its text takes to say.
    const soundMs = soundMsOf((await carrier.sound(sid)).heard);
    const saidMs = (greeting.length + answer.length) * msPerCharacter;
    expect(soundMs).toBeGreaterThan(0.9 * saidMs);
    expect(soundMs).toBeLessThan(1.1 * saidMs);
  }

  it('takes place if the platform calls: questions and answers are heard, and the record contains them', async () => {
    const to = '+14155550177';
    await carrier.at(to, asks);
    models.hears = question;
    const callId = await until('the call is taken', async () => {
      const body = { agent_id: customer.agentId, to, from: number };
      const taken = await customer.api.post<CallRecord>('/v1/calls', body);
      // A new engine may not have declared its capabilities yet; then the request is repeated.
      return taken.status === 201 ? taken.body.call_id : undefined;
    });
    expect(await customer.finished(callId)).toMatchObject({
      status: 'completed',
      ended_reason: 'callee_hung_up',
      carrier: 'twilio',
      simulated: false,
      components_simulated: [],
    });
    const [call] = await carrier.calls(to);
    await expectConversation(callId, call?.sid ?? '', 'callee');
  });

  it('takes place if someone calls the number', async () => {
    const from = '+14155550188';
    const voiceUrl = `${platform.baseUrls[0] ?? ''}/v1/carriers/twilio/calls`;
    models.hears = question;
    const { sid } = await carrier.ring({ to: number, from, scenario: asks, voiceUrl });
    const callId = await until('the call is on record', async () => {
      const { body } = await customer.api.get<{ data: CallRecord[] }>('/v1/calls');
      return body.data.find((one) => one['from'] === from)?.call_id;
    });
    expect(await customer.finished(callId)).toMatchObject({ direction: 'inbound', ended_reason: 'caller_hung_up' });
    await expectConversation(callId, sid, 'caller');
  });

  it('takes place in a spoken simulation, with the transcriber and the voice of the agent', async () => {
    const { api, organizationId: organization_id, projectId: project_id, agentId: agent_id } = customer;
    const saved = await api.patch(`/v1/agents/${agent_id}/voice-stack`, { opening: { first_speaker: 'agent' } });
    expect(saved.status).toBe(200);
    const scenario = {
      name: 'asks the price',
      callee: { type: 'script', turns: [question] },
      assertions: [
        { type: 'said_exactly', text: greeting },
        { type: 'said_exactly', text: question, by: 'callee' },
        { type: 'said_exactly', text: answer },
        { type: 'ended_reason', is: 'callee_hung_up' },
      ],
    };
    const suite = { organization_id, project_id, agent_id, name: 'Spoken', scenarios: [scenario] };
    const { body: made } = await api.post('/v1/simulation-suites', suite);
    models.hears = question;
    const before = models.spoken.length;
    const runId = await until('the run is taken', async () => {
      const path = `/v1/simulation-suites/${String(made.simulation_suite_id)}/runs`;
      const { status, body } = await api.post(path, { spoken: true });
      // A new engine may not have asked for spoken jobs yet; then the request is repeated.
      return status === 201 ? String(body.simulation_run_id) : undefined;
    });
    const report = await until('the run is over', async () => {
      const { body } = await api.get(`/v1/simulation-runs/${runId}`);
      return body.status === 'completed' ? body : undefined;
    });
    expect(report).toMatchObject({ spoken: true, done: 1, failed: 0, passed: true });
    expect(models.spoken.slice(before)).toEqual([greeting, answer]);
  });
});
