import { routes, type ChatSession, type ChatTurn, type WorkerCapabilities, type WorkerJob } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { customerCaller, eventually } from '@parley/testing';
import { auditOf } from './audit-of';
import { complete, hostedCaller, read, report } from './test-caller';
import { declareWorkers, hostedCapabilities } from './declared-workers';
import { setControls, topUpWallet, walletOf } from './organization-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const withChat: WorkerCapabilities = {
  ...hostedCapabilities,
  carriers: ['chat', 'simulator'],
  // A chat has no audio and cannot transfer to anyone.
  providers: { stt: [], llm: ['simulator'], tts: [] },
  tools: ['webhook'],
  controls: ['chat'],
};
/** 29 minutes at 60,000 micro-USD. */
const hold = 1_740_000;

describe('chats', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    await declareWorkers(under.db, withChat);
    telephony = await under.start({ workerLeaseSeconds: 300 });
    second = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());

  const begin = (agent: AgentForCall, key = '', body = {}) =>
    telephony.request(routes.createChatSession, {
      caller: customerCaller(agent.organizationId),
      params: { agent_id: agent.agentId },
      body,
      key,
    });

  const claimed = () =>
    eventually(async () => {
      const body = { kinds: ['call'], capacity: 1, worker_id: 'w1', wait_seconds: 1, capabilities: withChat };
      const answer = await second.request(routes.claimWorkerJobs, { caller: hostedCaller, body });
      return answer.body.jobs[0];
    });

  /** Performs the next command like a worker. */
  const perform = async (job: WorkerJob, result: Partial<ChatTurn>) => {
    const command = await eventually(async () => {
      const body = { worker_id: 'w1', wait_seconds: 1 };
      return (await second.request(routes.takeCommands, { caller: hostedCaller, body })).body.commands[0];
    });
    await second.request(routes.endCommand, {
      caller: hostedCaller,
      params: { job_id: job.job_id, command_id: command.command_id },
      body: { epoch: job.epoch, outcome: 'performed', result: { tool_calls: [], status: 'open', ...result } },
    });
    return command.fields;
  };

  interface Begun {
    readonly session: ChatSession;
    readonly job: WorkerJob;
  }

  const begun = async (agent: AgentForCall, key = ''): Promise<Begun> => {
    const asked = begin(agent, key);
    const job = await claimed();
    await report(second, job, 1, { type: 'answered' }, { type: 'media_started' });
    expect(await perform(job, { turn_id: 'turn_1', agent_text: 'Good morning.' })).toEqual({});
    return { session: (await asked).body, job };
  };

  const write = (agent: AgentForCall, session: ChatSession, text: string, key = '') =>
    telephony.request(routes.takeChatTurn, {
      caller: customerCaller(agent.organizationId),
      params: { chat_session_id: session.chat_session_id },
      body: { text },
      key,
    });

  const shown = (agent: AgentForCall, session: ChatSession) =>
    telephony.request(routes.getChatSession, {
      caller: customerCaller(agent.organizationId),
      params: { chat_session_id: session.chat_session_id },
    });

  it('are claimed by a worker at another replica, take turns, are charged and completed', async () => {
    const agent = under.fakes.addAgent();
    under.fakes.prepaid.add(agent.organizationId);
    await topUpWallet(telephony, agent.organizationId, { amount_micros: 2 * hold });
    const { session, job } = await begun(agent);
    expect(session).toEqual({
      chat_session_id: `chs_${job.call.call_id.slice(5)}`,
      call_id: job.call.call_id,
      agent_id: agent.agentId,
      status: 'open',
      first_message: 'Good morning.',
    });
    expect(job.call).toMatchObject({ channel: 'chat', direction: 'inbound', recording_enabled: false });
    expect(await auditOf(under.db, agent.organizationId, 'chat_session.created')).toMatchObject([
      { subject: session.call_id },
    ]);
    const asked = write(agent, session, 'What does it cost?', 'key-1');
    expect(await perform(job, { turn_id: 'turn_3', agent_text: '30 dollars.' })).toEqual({
      text: 'What does it cost?',
    });
    expect((await asked).body).toEqual({
      turn_id: 'turn_3',
      agent_text: '30 dollars.',
      tool_calls: [],
      status: 'open',
    });
    expect((await write(agent, session, 'What does it cost?', 'key-1')).body).toMatchObject({ turn_id: 'turn_3' });
    await report(second, job, 2, { type: 'ended', ended_reason: 'caller_hung_up', elapsed_ms: 60_000 });
    const turn = { speaker: 'agent', text: 'Good morning.', started_ms: 0, ended_ms: 0 } as const;
    await complete(second, job, { turns: [turn] });
    const { body } = await shown(agent, session);
    expect(body).toMatchObject({ status: 'ended', ended_reason: 'caller_hung_up', turns: [turn] });
    const cost = body.cost.amount_micros;
    expect(cost).toBeGreaterThan(0);
    expect(await walletOf(telephony, agent.organizationId)).toEqual([2 * hold - cost, 0, 2 * hold - cost]);
    expect(await refusal(write(agent, session, 'Still there?'))).toEqual([409, 'ConflictError']);
  });

  it('can be created with an inactive agent; a suspended agent gets 423', async () => {
    const inactive = under.fakes.addAgent({ status: 'inactive' });
    const { session } = await begun(inactive);
    expect(session.status).toBe('open');
    const suspended = under.fakes.addAgent({ status: 'suspended' });
    expect(await refusal(begin(suspended))).toEqual([423, 'SuspensionError']);
  });

  it('are created once per Idempotency-Key', async () => {
    const agent = under.fakes.addAgent();
    const { session, job } = await begun(agent, 'once');
    const again = begin(agent, 'once');
    await perform(job, { turn_id: 'turn_1', agent_text: 'Good morning.' });
    expect(await again).toMatchObject({ body: session, replayed: true });
  });

  it('fail as capacity_unavailable (503) if no worker claims them in time', async () => {
    const agent = under.fakes.addAgent();
    const asked = refusal(begin(agent));
    const callId = await eventually(async () => {
      const { rows } = await under.db.query<{ call_id: string }>({
        text: `update jobs set adopt_before = clock_timestamp() where organization_id = $1 and state = 'adoptable' returning call_id`,
        values: [agent.organizationId],
      });
      return rows[0]?.call_id;
    });
    expect(await asked).toEqual([503, 'worker_unreachable']);
    expect(await read(telephony, agent, callId)).toMatchObject({
      status: 'failed',
      ended_reason: 'capacity_unavailable',
    });
  });

  it.each<[string, object, number]>([
    ['no text', {}, 400],
    ['an empty text', { text: '' }, 400],
    ['only white space', { text: ' \n' }, 400],
    ['a number', { text: 5 }, 400],
    ['null', { text: null }, 400],
    ['2,001 characters', { text: 'x'.repeat(2_001) }, 400],
    ['an unknown field', { text: 'Hello', no_such_field: 1 }, 400],
  ])('reject a turn with %s with 400 and send no command to the worker', async (_, body, status) => {
    const agent = under.fakes.addAgent();
    const { session, job } = await begun(agent);
    const turn = telephony.request(routes.takeChatTurn, {
      caller: customerCaller(agent.organizationId),
      params: { chat_session_id: session.chat_session_id },
      body,
    });
    expect((await refusal(turn))[0]).toBe(status);
    const commands = { worker_id: 'w1', wait_seconds: 0 };
    const taken = await second.request(routes.takeCommands, { caller: hostedCaller, body: commands });
    expect(taken.body.commands).toEqual([]);
    await report(second, job, 2, { type: 'ended', ended_reason: 'caller_hung_up' });
    await complete(second, job, { turns: [] });
  });

  it('accept a turn of 2,000 characters', async () => {
    const agent = under.fakes.addAgent();
    const { session, job } = await begun(agent);
    const text = 'x'.repeat(2_000);
    const asked = write(agent, session, text);
    expect(await perform(job, { turn_id: 'turn_3', agent_text: 'So long.' })).toEqual({ text });
    expect((await asked).body).toMatchObject({ agent_text: 'So long.' });
    await report(second, job, 2, { type: 'ended', ended_reason: 'caller_hung_up' });
    await complete(second, job, { turns: [] });
  });

  it('are rejected with 400 for an agent in mode external_audio', async () => {
    const agent = under.fakes.addAgent({ mode: 'external_audio' });
    expect(await refusal(begin(agent))).toEqual([400, 'realtime_config_not_runnable']);
  });

  it('count against live_calls', async () => {
    const agent = under.fakes.addAgent();
    await setControls(telephony, agent.organizationId, { live_calls: 1 });
    await begun(agent);
    expect(await refusal(begin(agent))).toEqual([423, 'SuspensionError']);
  });

  it('are accessible by their own organization only, and only by chat_session_id (else 404)', async () => {
    const agent = under.fakes.addAgent();
    const { session } = await begun(agent);
    const other = under.fakes.addAgent();
    expect(await refusal(shown(other, session))).toEqual([404, 'NotFoundError']);
    expect(await refusal(write(other, session, 'Hello'))).toEqual([404, 'NotFoundError']);
    expect(await refusal(shown(agent, { ...session, chat_session_id: session.call_id }))).toEqual([
      404,
      'NotFoundError',
    ]);
  });
});
