import { customerCaller } from '@parley/testing';
import { createHash } from 'node:crypto';
import { routes, type CallRecord, type CallStatus, type EventEnvelope } from '@parley/contract';
import { addNumber, claim, claimOne, complete, place, read, report } from './test-caller';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const sound = Buffer.from('RIFF: not really audio');
const recording = { format: 'wav', duration_ms: 900, data: sound.toString('base64') };
const transcript = { turns: [{ speaker: 'agent', text: 'Hello!', started_ms: 0, ended_ms: 900 }] };

describe('end of calls, transcripts, recordings and trial calls', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());

  const agentWithNumber = async (recordingEnabled = false) => {
    const agent = under.fakes.addAgent({ recordingEnabled });
    await addNumber(telephony, agent);
    return agent;
  };

  const eventsOf = async (callId: string): Promise<EventEnvelope[]> => {
    const { rows } = await under.db.query<{ log: string; outbox: string }>({
      text: `select e.payload as log, o.payload as outbox from call_events e join outbox o on o.id = e.event_id
             where e.call_id = $1 order by e.resource_seq`,
      values: [callId],
    });
    for (const { log, outbox } of rows) expect(log).toBe(outbox);
    return rows.map(({ log }) => JSON.parse(log) as EventEnvelope);
  };

  const recordingOf = async (organizationId: string, callId: string) => {
    const request = { caller: customerCaller(organizationId), params: { call_id: callId } };
    return (await telephony.request(routes.getRecording, request)).body;
  };

  it('model_session_lost: stored calls still show this reason_detail, but new reports with it get 400', async () => {
    const agent = await agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await claimOne(telephony);
    const ended = { type: 'ended', ended_reason: 'agent_unresponsive', reason_detail: 'model_session_lost' };
    expect(await refusal(report(telephony, job, 1, 'dialing', 'answered', ended))).toEqual([400, 'BadRequestError']);
    const now = { type: 'ended', ended_reason: 'agent_unresponsive', reason_detail: 'model_unresponsive' };
    await report(telephony, job, 1, 'dialing', 'answered', now);
    await complete(telephony, job);
    await under.db.query({
      text: `update calls set completed_at = '2026-09-24T23:59:59Z', reason_detail = 'model_session_lost' where organization_id = $1 and call_id = $2`,
      values: [agent.organizationId, call.call_id],
    });
    expect(await read(telephony, agent, call.call_id)).toMatchObject({
      status: 'completed',
      ended_reason: 'agent_unresponsive',
      reason_detail: 'model_session_lost',
      completed_at: '2026-09-24T23:59:59.000Z',
    });
  });

  it('card numbers are masked in transcripts', async () => {
    const agent = await agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await claimOne(telephony);
    await report(telephony, job, 1, 'dialing', 'answered', { type: 'ended', ended_reason: 'callee_hung_up' });
    const turn = { speaker: 'caller', text: 'My card is 4111 1111, 1111 1111.', started_ms: 0, ended_ms: 900 };
    await complete(telephony, job, { turns: [turn] });
    const request = { caller: customerCaller(agent.organizationId), params: { call_id: call.call_id } };
    const { body } = await telephony.request(routes.getTranscript, request);
    expect(body.turns).toEqual([{ ...turn, text: 'My card is [card number].' }]);
  });

  it('transcripts contain tool calls, pressed digits and latencies; card numbers are masked in them', async () => {
    const agent = await agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await claimOne(telephony);
    await report(telephony, job, 1, 'dialing', 'answered', { type: 'ended', ended_reason: 'callee_hung_up' });
    const pay = {
      tool_call_id: 'call_a',
      name: 'pay',
      arguments: '{"card":"4111111111111111"}',
      result: 'declined',
      outcome: 'failed',
      duration_ms: 80,
    };
    const turns = [
      { turn_id: 't1', speaker: 'callee', text: '', started_ms: 0, ended_ms: 10, digits: '4111111111111111' },
      {
        turn_id: 't2',
        speaker: 'agent',
        text: 'It was declined.',
        started_ms: 20,
        ended_ms: 900,
        interrupted: true,
        latency: { end_of_turn_hold_ms: 600, model_first_ms: 300, speech_first_ms: 90, total_ms: 690 },
        tool_calls: [pay],
      },
    ];
    await complete(telephony, job, { turns });
    const kept = [
      { ...turns[0], digits: '[card number]' },
      { ...turns[1], tool_calls: [{ ...pay, arguments: '{"card":"[card number]"}' }] },
    ];
    const request = { caller: customerCaller(agent.organizationId), params: { call_id: call.call_id } };
    expect((await telephony.request(routes.getTranscript, request)).body.turns).toEqual(kept);
  });

  describe('recordings', () => {
    it.each([
      [
        'of a call with recording enabled is stored, with one event',
        true,
        ['call.transcript.ready', 'call.recording.ready'],
      ],
      ['of a call with recording disabled is neither stored nor published', false, ['call.transcript.ready']],
    ])('one %s', async (_, enabled, reported) => {
      const agent = await agentWithNumber(enabled);
      const { call } = await place(telephony, agent);
      const job = await claimOne(telephony);
      await report(telephony, job, 1, 'dialing', 'answered', { type: 'ended', ended_reason: 'callee_hung_up' });
      const { organizationId } = agent;
      expect(await refusal(recordingOf(organizationId, call.call_id))).toEqual([404, 'NotFoundError']);
      await complete(telephony, job, transcript, 'human', recording);
      await complete(telephony, job, transcript, 'human', { ...recording, duration_ms: 1 });
      const types = (await eventsOf(call.call_id)).map(({ type }) => type);
      expect(types.slice(types.indexOf('call.completed') + 1)).toEqual(reported);
      if (!enabled) {
        expect(await refusal(recordingOf(organizationId, call.call_id))).toEqual([404, 'NotFoundError']);
        return;
      }
      expect(await recordingOf(organizationId, call.call_id)).toEqual({
        call_id: call.call_id,
        ...recording,
        simulated: false,
        size_bytes: sound.length,
        sha256: createHash('sha256').update(sound).digest('hex'),
        created_at: expect.any(String) as string,
      });
      const stranger = under.fakes.addAgent();
      expect(await refusal(recordingOf(stranger.organizationId, call.call_id))).toEqual([404, 'NotFoundError']);
    });

    it('of a call that was not answered is not stored', async () => {
      const agent = await agentWithNumber(true);
      const { call } = await place(telephony, agent);
      const job = await claimOne(telephony);
      await report(telephony, job, 1, 'dialing', { type: 'failed', ended_reason: 'busy' });
      await complete(telephony, job, undefined, '', recording);
      expect((await eventsOf(call.call_id)).map(({ type }) => type)).not.toContain('call.recording.ready');
      expect(await refusal(recordingOf(agent.organizationId, call.call_id))).toEqual([404, 'NotFoundError']);
    });

    it.each([
      ['unknown format', { ...recording, format: 'flac' }],
      ['not base64', { ...recording, data: '????' }],
      ['ambiguous base64', { ...recording, data: 'QQ=' }],
      ['negative duration', { ...recording, duration_ms: -1 }],
    ])('with %s gets 400 and changes nothing', async (_, wrong) => {
      const agent = await agentWithNumber(true);
      const { call } = await place(telephony, agent);
      const job = await claimOne(telephony);
      await report(telephony, job, 1, 'dialing', 'answered');
      const before = await read(telephony, agent, call.call_id);
      expect(await refusal(complete(telephony, job, undefined, '', wrong))).toEqual([400, 'BadRequestError']);
      expect(await read(telephony, agent, call.call_id)).toEqual(before);
    });
  });

  describe('trial calls', () => {
    const trial = async (
      { organizationId, agentId }: { organizationId: string; agentId: string },
      outcome: string,
      key = '',
      projectId = '',
    ) => {
      const response = await telephony.request(routes.createTrialCall, {
        caller: customerCaller(organizationId),
        body: { agent_id: agentId, outcome, ...(projectId !== '' && { project_id: projectId }) },
        key,
      });
      return { ...response, call: response.body };
    };

    const answered = ['call.answered', 'media.started', 'call.ended', 'call.completed', 'call.transcript.ready'];

    it.each<[string, CallStatus, string, string | null, string[]]>([
      ['answered', 'completed', 'callee_hung_up', 'human', answered],
      ['voicemail', 'completed', 'callee_hung_up', 'voicemail', answered],
      ['no_human', 'completed', 'no_human_after_answer', 'music', answered],
      ['silence', 'completed', 'no_caller_speech_after_answer', 'unknown', answered],
      ['busy', 'failed', 'busy', null, ['call.failed']],
      ['no_answer', 'failed', 'no_answer', null, ['call.failed']],
      ['carrier_failure', 'failed', 'carrier_failure', null, ['call.failed']],
    ])(
      'with outcome %s: a call marked synthetic with status %s, reason %s and all events, without a job or cost',
      async (outcome, status, reason, classification, reported) => {
        const agent = under.fakes.addAgent({ status: 'inactive', costMicrosPerMinute: '60000' });
        const { call } = await trial(agent, outcome);
        expect(call).toMatchObject({ synthetic: true, status, ended_reason: reason, classification });
        expect(call.cost.amount_micros).toBe(0);
        expect(await read(telephony, agent, call.call_id)).toEqual(call);
        const events = await eventsOf(call.call_id);
        expect(events.map(({ type }) => type)).toEqual(['call.created', 'call.queued', 'call.dialing', ...reported]);
        expect(events.map(({ resource_seq }) => resource_seq)).toEqual(events.map((_event, index) => index + 1));
        expect(events.every(({ data }) => (data as Partial<CallRecord>).synthetic === true)).toBe(true);
        expect(events.at(-1)?.data).toEqual({ ...call });
        const { rows } = await under.db.query({
          text: 'select job_id from jobs where call_id = $1',
          values: [call.call_id],
        });
        expect(rows).toEqual([]);
        expect(await claim(telephony, 100)).toEqual([]);
      },
    );

    it("are created once per Idempotency-Key; an unknown outcome gets 400, another organization's agent 404", async () => {
      const agent = under.fakes.addAgent();
      const first = await trial(agent, 'busy', 'k1');
      const again = await trial(agent, 'busy', 'k1');
      expect([first.replayed, again.replayed, again.call]).toEqual([false, true, first.call]);
      expect(again.etag).toBe(`"${first.call.call_id}"`);
      expect(await refusal(trial(agent, 'no_answer', 'k1'))).toEqual([409, 'ConflictError']);
      expect(await refusal(trial(agent, 'abducted'))).toEqual([400, 'BadRequestError']);
      const { organizationId } = under.fakes.addAgent();
      expect(await refusal(trial({ organizationId, agentId: agent.agentId }, 'busy'))).toEqual([404, 'NotFoundError']);
    });

    it("with a project_id other than the agent's get 404 and create no call", async () => {
      const agent = under.fakes.addAgent();
      const neighbour = under.fakes.addAgent({ organizationId: agent.organizationId });
      const count = async () => (await under.db.query({ text: 'select call_id from calls' })).rows.length;
      const before = await count();
      expect(await refusal(trial(agent, 'busy', '', neighbour.projectId))).toEqual([404, 'NotFoundError']);
      expect(await count()).toBe(before);
      const { call } = await trial(agent, 'busy', '', agent.projectId);
      expect(call.project_id).toBe(agent.projectId);
    });

    it('only trial calls are marked synthetic', async () => {
      const agent = await agentWithNumber();
      expect((await place(telephony, agent)).call.synthetic).toBe(false);
      await claim(telephony, 100);
    });
  });
});
