import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { TwilioProtocolCarrier, type CallAtCarrier, type Scenario } from '../../services/telephony/test/twilio/carrier';
import { Customer, type CallRecord } from '../customer';
import { Platform, type PlatformProcess } from '../platform';
import { MediaBalancer } from '../spoken/media-balancer';
import { ModelServer } from '../spoken/model-server';
import { useOwnServers } from '../spoken/own-servers';
import { until } from '../until';

const account = { accountSid: `AC${'3'.repeat(32)}`, authToken: 'token-of-the-account' };
const number = '+14155550145';
const leaseSeconds = 5;
const greeting = 'Good morning, how can I help?';
const question = 'What does an appointment cost?';
const answer =
  'It costs forty dollars, and takes about an hour of your time. Bring your card with you, and come ten minutes early, please. ' +
  'There is a place to park behind the house, and the door on the left is open from eight in the morning.';
const booking = 'Please book me for Friday.';
/** The speaking rate of the test's voice. */
const msPerCharacter = 45;
/**
 * How much speech may be repeated after a hand-over, in milliseconds: everything since the last snapshot (1.5 s), the delay of its report, and a word that was
 * interrupted.
 */
const repeatedMs = 3_000;

const isLoud = (sample: number): boolean => Math.abs(sample) > 1_000;

/** The parts of 8 kHz audio with sound, in milliseconds. Pauses of at most a quarter of a second do not separate them. */
function soundsOf(heard: Int16Array): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (let at = 0; at + 80 <= heard.length; at += 80) {
    if (!heard.subarray(at, at + 80).some(isLoud)) continue;
    const last = found.at(-1);
    if (last !== undefined && at / 8 - last.to <= 250) last.to = at / 8 + 10;
    else found.push({ from: at / 8, to: at / 8 + 10 });
  }
  return found;
}

const soundMsOf = (heard: Int16Array): number => soundsOf(heard).reduce((sum, { from, to }) => sum + to - from, 0);

/** A customer's tool that responds slowly. */
class SlowTool {
  requests = 0;
  private readonly server: Server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      this.requests += 1;
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"at":"ten"}'), 4_000);
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/** The caller asks a question, hears the answer and stays on the line until the test hangs up. */
const stays: Scenario = {
  script: [{ agentSpeaks: true }, { agentIsSilentForMs: 800 }, { say: question }, { agentSpeaks: true }],
  stays: true,
};

interface Turn {
  readonly speaker: string;
  readonly text: string;
  readonly tool_calls?: readonly { readonly name: string; readonly outcome: string }[];
}

/** Two engines behind a load balancer, and a carrier with Twilio's protocols: tests how a conversation survives the loss of its engine. */
describe('a conversation over a carrier whose engine', () => {
  let balancer: MediaBalancer;
  let platform: Platform;
  let carrier: TwilioProtocolCarrier;
  let customer: Customer;
  let models: ModelServer;
  let database: pg.Client;
  const tool = new SlowTool();
  let callees = 5_550_300;

  beforeAll(async () => {
    balancer = await MediaBalancer.start();
    carrier = await TwilioProtocolCarrier.start(account);
    platform = await Platform.start({
      leaseSeconds,
      replicas: 2,
      env: {
        TEST_CALL_CONDUCTOR: 'agent',
        TWILIO_API_URL: carrier.url,
        CARRIER_CALLS_PER_SECOND: '100',
        RECORDING_GRACE_SECONDS: '1',
        LEASES_REAPED_AT_LEAST: '100',
        MEDIA_PUBLIC_URL: balancer.url,
      },
    });
    balancer.engines = engines;
    database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
    customer = await Customer.create(platform);
    const address = await tool.start();
    models = await ModelServer.start((said, [result]) => {
      if (result !== undefined)
        return result.includes('ten') ? 'You are booked at ten.' : 'I am not sure that it was booked.';
      return said === booking ? { tool: 'book', arguments: { day: 'Friday' } } : answer;
    });
    const parameters = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };
    const book = {
      type: 'webhook',
      name: 'book',
      description: 'Books.',
      parameters,
      url: `${address}/`,
      method: 'POST',
    };
    await useOwnServers(customer, models, { tools: [book] });
    const { api, organizationId: organization_id, projectId: project_id, agentId: inbound_agent_id } = customer;
    const { accountSid: account_sid, authToken: auth_token } = account;
    const credential = { organization_id, provider: 'twilio', account_sid, auth_token };
    expect((await api.post('/v1/carrier-credentials', credential)).status).toBe(201);
    const line = { organization_id, project_id, phone_number: number, provider: 'twilio', inbound_agent_id };
    expect((await api.post('/v1/numbers', line)).status).toBe(201);
    expect((await api.patch(`/v1/agents/${customer.agentId}`, { recording_enabled: true })).status).toBe(200);
  });

  afterAll(async () => {
    for (const { pid } of engines()) process.kill(pid, 'SIGCONT');
    expect(await carrier?.violations()).toEqual([]);
    await database?.end();
    await customer?.close();
    await models?.stop();
    await tool.stop();
    await platform?.stop();
    await carrier?.stop();
    await balancer?.stop();
  });

  const engines = (): PlatformProcess[] => platform.processes.filter(({ name }) => name === 'engine');

  interface Talk {
    readonly to: string;
    readonly callId: string;
    readonly sid: string;
  }

  async function dial(scenario: Scenario): Promise<Talk> {
    const to = `+1415${(callees += 1)}`;
    await carrier.at(to, scenario);
    const callId = await until('the call is taken', async () => {
      const taken = await customer.api.post<CallRecord>('/v1/calls', { agent_id: customer.agentId, to, from: number });
      return taken.status === 201 ? taken.body.call_id : undefined;
    });
    const { sid } = await until('the carrier has the call', async () => (await carrier.calls(to))[0]);
    return { to, callId, sid };
  }

  const atCarrier = ({ to }: Talk): Promise<CallAtCarrier | undefined> => carrier.calls(to).then(([call]) => call);

  /** The engine that conducts the call. */
  async function holderOf({ callId }: Talk): Promise<PlatformProcess> {
    return until('an engine has the call', async () => {
      const { rows } = await database.query<{ worker_id: string }>(
        `select worker_id from telephony.jobs where call_id = $1 and state = 'leased'`,
        [callId],
      );
      return engines().find(({ pid }) => rows[0]?.worker_id.includes(`-${pid}-`) === true);
    });
  }

  const heardMs = async ({ sid }: Talk): Promise<number> => soundMsOf((await carrier.wholeSound(sid)).heard);

  /** Waits until this much of the agent's speech was heard. */
  const hears = (talk: Talk, ms: number): Promise<unknown> =>
    until(`${ms} ms of the agent are heard`, async () => (await heardMs(talk)) >= ms || undefined);

  /** Waits until the agent has said everything. */
  const hearsOut = ({ sid }: Talk): Promise<unknown> =>
    until('the agent is silent', async () => {
      // The recording of the caller's side has a sample for every moment; that of the agent's side ends with the last sound.
      const { said, heard } = await carrier.wholeSound(sid);
      return said.length / 8 - (soundsOf(heard).at(-1)?.to ?? 0) > 1_500 || undefined;
    });

  const over = ({ callId }: Talk): Promise<CallRecord> =>
    until('the call is over', async () => {
      const { body } = await customer.api.persist((api) => api.get<CallRecord>(`/v1/calls/${callId}`));
      return ['completed', 'failed', 'canceled'].includes(body.status) ? body : undefined;
    });

  const transcriptOf = ({ callId }: Talk): Promise<Turn[]> =>
    until('the transcript', async () => {
      const { status, body } = await customer.api.persist((api) =>
        api.get<{ turns: Turn[] }>(`/v1/calls/${callId}/transcript`),
      );
      return status === 200 ? body.turns : undefined;
    });

  /** Checks that the call was dialed once, ended once, and has a record like any other call. */
  async function expectWhole(talk: Talk): Promise<void> {
    expect(await over(talk)).toMatchObject({ status: 'completed', ended_reason: 'callee_hung_up' });
    expect(await carrier.calls(talk.to)).toHaveLength(1);
    const events = await customer.receiver.story(talk.callId, 'call.completed');
    const types = events.map(({ type }) => type);
    for (const once of ['call.dialing', 'call.answered', 'media.started', 'call.ended', 'call.completed'])
      expect([once, types.filter((type) => type === once).length]).toEqual([once, 1]);
  }

  /** Checks that the whole answer was heard, in two turns: nothing is missing, and only what was not in a snapshot was repeated. */
  function expectWholeAnswer(turns: readonly Turn[]): void {
    const agent = turns.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text);
    expect(agent[0]).toBe(greeting);
    const [first = '', second = ''] = agent.slice(1);
    expect(agent).toHaveLength(3);
    expect(answer.startsWith(first)).toBe(true);
    expect(answer.endsWith(second)).toBe(true);
    expect(first.length + second.length).toBeGreaterThanOrEqual(answer.length - 1);
    expect(first.length + second.length).toBeLessThanOrEqual(answer.length + 1);
  }

  const wholeMs = (greeting.length + answer.length) * msPerCharacter;

  it.each<[string, NodeJS.Signals, number]>([
    ['is killed while the agent speaks', 'SIGKILL', 5_000],
    // The duration of a lease (five seconds), plus up to a second each for the check of leases, the carrier and the first word.
    ['freezes while the agent speaks', 'SIGSTOP', leaseSeconds * 1_000 + 6_000],
  ])('%s: another engine says the rest, and the call continues', async (_, signal, longestGapMs) => {
    models.hears = question;
    const talk = await dial(stays);
    await hears(talk, greeting.length * msPerCharacter + 3_000);
    const holder = await holderOf(talk);
    process.kill(holder.pid, signal);
    await hears(talk, 0.95 * wholeMs);
    expect((await holderOf(talk)).pid).not.toBe(holder.pid);
    await hearsOut(talk);
    if (signal === 'SIGSTOP') process.kill(holder.pid, 'SIGCONT');
    await carrier.act('hang-up', talk.sid);
    await expectWhole(talk);
    const turns = await transcriptOf(talk);
    expectWholeAnswer(turns);
    expect(turns.filter(({ speaker }) => speaker === 'callee').map(({ text }) => text)).toEqual([question]);
    // In the waveform of the line: the greeting, the answer until its engine was lost, and the rest. On a busy machine, the voice of the rest may be late.
    const { heard, said } = await carrier.wholeSound(talk.sid);
    const sounds = soundsOf(heard);
    const gapMs = Math.max(...sounds.slice(2).map(({ from }, n) => from - (sounds[n + 1]?.to ?? 0)));
    expect({ gapMs, isBounded: gapMs < longestGapMs }).toMatchObject({ isBounded: true });
    expect(soundMsOf(heard)).toBeLessThan(wholeMs + repeatedMs);
    const recording = await until('the recording', async () => {
      const { status, body } = await customer.api.get<{ duration_ms: number }>(`/v1/calls/${talk.callId}/recording`);
      return status === 200 ? body : undefined;
    });
    expect(Math.abs(recording.duration_ms - said.length / 8)).toBeLessThan(2_000);
  });

  it('is killed while the callee speaks: the turn is understood and answered', async () => {
    models.hears = question;
    const talk = await dial(stays);
    await hears(talk, greeting.length * msPerCharacter * 0.9);
    const before = await until('the callee speaks', async () => {
      const { said } = await carrier.wholeSound(talk.sid);
      return soundMsOf(said) > 500 ? said.length : undefined;
    });
    expect(before).toBeGreaterThan(0);
    process.kill((await holderOf(talk)).pid, 'SIGKILL');
    await hears(talk, 0.95 * wholeMs);
    await hearsOut(talk);
    await carrier.act('hang-up', talk.sid);
    await expectWhole(talk);
    const turns = await transcriptOf(talk);
    expect(turns.map(({ speaker }) => speaker)).toEqual(['agent', 'callee', 'agent']);
    expect(turns[1]?.text).toBe(question);
  });

  it('is killed while a tool runs: the tool is not run again, and its result for the model says that the outcome is unknown', async () => {
    models.hears = booking;
    const talk = await dial(stays);
    await until('the tool runs', () => tool.requests === 1 || undefined);
    process.kill((await holderOf(talk)).pid, 'SIGKILL');
    const unsure = 'I am not sure that it was booked.';
    await hears(talk, 0.9 * (greeting.length + unsure.length) * msPerCharacter);
    await hearsOut(talk);
    await carrier.act('hang-up', talk.sid);
    await expectWhole(talk);
    expect(tool.requests).toBe(1);
    const turns = await transcriptOf(talk);
    expect(turns.filter(({ text }) => text !== '').map(({ text }) => text)).toEqual([greeting, booking, unsure]);
    expect(turns.flatMap(({ tool_calls: calls = [] }) => calls)).toMatchObject([{ name: 'book' }]);
  });

  it('stops: each call is handed over between two utterances, and none ends', async () => {
    await platform.ready();
    const talks = await Promise.all(Array.from({ length: 6 }, () => dial({ ...stays, script: [] })));
    for (const talk of talks) await hears(talk, 0.9 * greeting.length * msPerCharacter);
    const holders = await Promise.all(talks.map(holderOf));
    const stopped = holders[0] as PlatformProcess;
    expect(new Set(holders.map(({ pid }) => pid)).size).toBe(2);
    process.kill(stopped.pid, 'SIGTERM');
    for (const talk of talks)
      await until('another engine has the call', async () => (await holderOf(talk)).pid !== stopped.pid || undefined);
    // A call that was not handed over yet would be interrupted when the process ends.
    await until('it has ended', () => engines().every(({ pid }) => pid !== stopped.pid) || undefined);
    for (const [n, talk] of talks.entries()) {
      const held = await atCarrier(talk);
      expect(held).toMatchObject({ status: 'in-progress' });
      // If a busy engine does not accept a stream within seconds, another one is requested, so there may be more than two.
      if (holders[n]?.pid === stopped.pid) expect(held?.streams).toBeGreaterThanOrEqual(2);
      else expect(held?.streams).toBe(1);
      // The whole greeting was heard once; on a busy machine some of it may be late.
      const heard = soundMsOf((await carrier.wholeSound(talk.sid)).heard);
      expect(heard).toBeGreaterThan(0.85 * greeting.length * msPerCharacter);
      expect(heard).toBeLessThan(1.3 * greeting.length * msPerCharacter);
      await carrier.act('hang-up', talk.sid);
    }
    for (const talk of talks) await expectWhole(talk);
  });
});
