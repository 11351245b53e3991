import { routes, type CallRecord } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { documentOf } from '@parley/runtime';
import { customerCaller, eventually } from '@parley/testing';
import { addNumber, claimOne, complete, freshNumber, place, read, report, type Reported } from './test-caller';
import { refusal } from './refusal';
import { WorkerJobs } from './worker-jobs';

const workers = WorkerJobs.ofFile();

/** A call from a number of that provider, reported until its end. */
async function runReported(
  last: Reported & object,
  provider = 'simulator',
  change: Partial<AgentForCall> = {},
): Promise<CallRecord> {
  const agent = workers.under.fakes.addAgent(change);
  const from = freshNumber();
  await addNumber(workers.telephony, agent, from, { provider: 'simulator' });
  const { call } = await place(workers.telephony, agent);
  // Like a carrier whose calls workers dial themselves.
  const need = `carrier:${provider}`;
  await workers.under.db.query({
    text: `update calls set carrier = $2, simulator_pace = case when $2 = 'simulator' then simulator_pace end, needs = array_replace(needs, 'carrier:simulator', $3) where call_id = $1`,
    values: [call.call_id, provider, need],
  });
  await workers.under.db.query({
    text: `update jobs set needs = array_replace(needs, 'carrier:simulator', $2) where call_id = $1`,
    values: [call.call_id, need],
  });
  const job = await workers.claimOf(workers.telephony, call);
  await report(workers.second, job, 1, 'dialing', 'answered', last);
  await complete(workers.telephony, job);
  return read(workers.telephony, agent, call.call_id);
}

const hungUp = { type: 'ended', ended_reason: 'callee_hung_up' };

describe('call records with the simulator, and reasons for their end', () => {
  it('show simulated, carrier, pace and components_simulated of a simulator call', async () => {
    expect(await runReported(hungUp)).toMatchObject({
      simulated: true,
      synthetic: false,
      carrier: 'simulator',
      simulator_pace: 'instant',
      components_simulated: ['stt', 'llm', 'tts'],
      problems: [],
    });
  });

  it('show components_simulated of a call through another carrier', async () => {
    expect(await runReported(hungUp, 'sip_trunk')).toMatchObject({
      simulated: false,
      carrier: 'sip_trunk',
      simulator_pace: null,
      components_simulated: ['stt', 'llm', 'tts'],
    });
  });

  it('mark a trial call as synthetic, not as simulated', async () => {
    const agent = workers.under.fakes.addAgent();
    const caller = customerCaller(agent.organizationId);
    const body = { agent_id: agent.agentId, outcome: 'answered' };
    const { body: call } = await workers.telephony.request(routes.createTrialCall, { caller, body });
    expect(call).toMatchObject({ synthetic: true, simulated: false, carrier: null, ended_reason: 'callee_hung_up' });
  });

  it.each<[string, string, object, number, number]>([
    ['by the reported elapsed_ms, rounded up to seconds', 'simulator', { elapsed_ms: 59_001 }, 60, 60_000],
    ['by the reported elapsed_ms', 'simulator', { elapsed_ms: 60_000 }, 60, 60_000],
    ['by the clock if no elapsed_ms is reported', 'simulator', {}, 1, 1_000],
    ['by the clock for another carrier', 'sip_trunk', { elapsed_ms: 1_700_000 }, 1, 1_000],
  ])('have duration and cost %s', async (_, provider, more, seconds, micros) => {
    const call = await runReported({ ...hungUp, ...more }, provider);
    // A very short call is charged one started second, or two on a busy machine.
    if (seconds === 1) expect(call.duration_seconds).toBeLessThan(30);
    else expect([call.duration_seconds, call.cost.amount_micros]).toEqual([seconds, micros]);
    expect(call.cost.amount_micros).toBe((call.duration_seconds ?? 0) * 1_000);
    expect(micros).toBe(seconds * 1_000);
  });

  it('keep the simulator_pace that the number had when the call was placed', async () => {
    const agent = workers.under.fakes.addAgent();
    const caller = customerCaller(agent.organizationId);
    const body = {
      organization_id: agent.organizationId,
      project_id: agent.projectId,
      phone_number: freshNumber(),
      provider: 'simulator',
    };
    const { body: number } = await workers.telephony.request(routes.createNumber, {
      caller,
      body: { ...body, simulator_pace: 'real_time' },
    });
    expect(number.simulator_pace).toBe('real_time');
    const slow = (await place(workers.telephony, agent)).call;
    const change = {
      params: { number_id: number.number_id },
      body: { inbound_agent_id: null, simulator_pace: 'instant' },
    };
    expect((await workers.telephony.request(routes.updateNumber, { caller, ...change })).body.simulator_pace).toBe(
      'instant',
    );
    const fast = (await place(workers.telephony, agent)).call;
    expect([slow.simulator_pace, fast.simulator_pace]).toEqual(['real_time', 'instant']);
    const kept = { params: { number_id: number.number_id }, body: { inbound_agent_id: null } };
    expect((await workers.telephony.request(routes.updateNumber, { caller, ...kept })).body.simulator_pace).toBe(
      'instant',
    );
  });

  it('contain the problems reported by the worker', async () => {
    const problems = [
      {
        code: 'setting_not_applied',
        detail: 'this worker does not apply audio_environment',
        at: '2026-03-01T12:00:00.000Z',
      },
    ];
    expect((await runReported({ ...hungUp, problems } as Reported)).problems).toEqual(problems);
  });

  it.each<[string, string, string]>([
    ['ended', 'caller_hung_up', 'callee_hung_up'],
    ['ended', 'callee_hung_up', 'callee_hung_up'],
    ['ended', 'transferred', 'transferred'],
  ])('for an outbound call %s with %s show ended_reason %s', async (type, reported, reads) => {
    expect((await runReported({ type, ended_reason: reported })).ended_reason).toBe(reads);
  });

  it('show carrier_completed if the report of the end has no reason', async () => {
    expect((await runReported({ type: 'ended' })).ended_reason).toBe('carrier_completed');
  });

  it.each(['unspecified', 'model_session_lost', 'voicemail_reached', 'customer made this up!', ''])(
    'a report with ended_reason "%s" gets 400',
    async (reason) => {
      const agent = await workers.agentWithNumber();
      const { call } = await place(workers.telephony, agent);
      const job = await workers.claimOf(workers.telephony, call);
      const reported = report(workers.telephony, job, 1, 'dialing', { type: 'failed', ended_reason: reason });
      expect(await refusal(reported)).toEqual([400, 'BadRequestError']);
      expect((await read(workers.telephony, agent, call.call_id)).status).toBe('queued');
    },
  );

  it.each<[string | null, string | null, object]>([
    ['model_session_lost', null, { ended_reason: 'model_session_lost', reason_detail: null }],
    [
      'agent_unresponsive',
      'model_session_lost',
      { ended_reason: 'agent_unresponsive', reason_detail: 'model_session_lost' },
    ],
  ])('show a readable reason for one stored by an earlier version (%s)', async (reason, detail, expected) => {
    const call = await runReported(hungUp);
    await workers.under.db.query({
      text: 'update calls set ended_reason = $2, reason_detail = $3 where call_id = $1',
      values: [call.call_id, reason, detail],
    });
    const owner = { organizationId: call.organization_id };
    expect(await read(workers.telephony, owner, call.call_id)).toMatchObject(expected);
  });

  it('show cancel_requested_at, with a new ETag, after a cancellation of a live call', async () => {
    const agent = await workers.agentWithNumber();
    const { call } = await place(workers.telephony, agent);
    const job = await workers.claimOf(workers.telephony, call);
    await report(workers.telephony, job, 1, 'dialing', 'answered');
    const { organizationId } = agent;
    const ask = () =>
      workers.telephony.request(routes.getCall, {
        caller: customerCaller(organizationId),
        params: { call_id: call.call_id },
      });
    const before = await ask();
    expect(before.body.cancel_requested_at).toBeNull();
    const canceled = await workers.cancel(agent, call.call_id);
    expect(canceled).toMatchObject({ status: 'answered', cancel_requested_at: expect.any(String) as string });
    const after = await ask();
    expect(after.body.cancel_requested_at).toBe(canceled.cancel_requested_at);
    expect(after.etag).not.toBe(before.etag);
    // A repeated request does not change it.
    expect((await workers.cancel(agent, call.call_id)).cancel_requested_at).toBe(canceled.cancel_requested_at);
  });
});

describe('translations by the simulator', () => {
  const translated = (): Partial<AgentForCall> => ({
    tuning: documentOf('CallTuning', {
      tools: [],
      recording_enabled: false,
      translation: { enabled: true, target_language: 'de', scope: 'both' },
    }),
  });
  const said = { language: 'en', turns: [{ speaker: 'agent', text: 'Hello!', started_ms: 0, ended_ms: 900 }] };

  it('add translation to components_simulated', async () => {
    const agent = workers.under.fakes.addAgent(translated());
    await addNumber(workers.telephony, agent);
    const { call } = await place(workers.telephony, agent);
    const job = await claimOne(workers.telephony);
    await report(workers.telephony, job, 1, 'dialing', 'answered', hungUp);
    await complete(workers.telephony, job, said);
    const parts = await eventually(async () => {
      const { components_simulated: simulated } = await read(workers.telephony, agent, call.call_id);
      return simulated.includes('translation') ? simulated : undefined;
    });
    expect(parts).toEqual(['stt', 'llm', 'tts', 'translation']);
  });
});
