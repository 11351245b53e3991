import { routes, type EventEnvelope } from '@parley/contract';
import type { RecordExtractionRequest } from '@parley/proto/telephony';
import { documentOf, newId, serviceCaller, type Caller } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { addNumber, claimOne, complete, place, read, report } from './test-caller';
import { eraseCall, tablesWith } from './erasing';
import { refusal } from './refusal';
import { WorkerJobs } from './worker-jobs';

const absent = [404, 'NotFoundError'];
const body = {
  reason: null,
  data: { day: 'Tuesday' },
  summary: 'A day was agreed.',
  sentiment: 'positive',
  success: { achieved: true, reason: 'It was.' },
  evidence: [{ path: 'data.day', turn_ids: ['0'] }],
  model: { provider: 'openai', model: 'gpt-4.1' },
  simulated: false,
  usage: { input_tokens: 10, output_tokens: 2, cost_micros: 3 },
};

describe('extractions of calls', () => {
  const workers = WorkerJobs.ofFile();
  const context = (caller: Caller = serviceCaller) => ({ caller, requestId: 'test' });

  /** A completed call with its transcript. */
  async function talked(text = 'Tuesday') {
    const agent = workers.under.fakes.addAgent();
    await addNumber(workers.telephony, agent);
    const { call } = await place(workers.telephony, agent);
    const job = await claimOne(workers.telephony);
    await report(workers.telephony, job, 1, 'dialing', 'answered', { type: 'ended', ended_reason: 'callee_hung_up' });
    await complete(workers.telephony, job, { turns: [{ speaker: 'callee', text, started_ms: 0, ended_ms: 900 }] });
    return { agent, callId: call.call_id, organizationId: agent.organizationId };
  }

  type Talked = Awaited<ReturnType<typeof talked>>;
  const record = (
    { organizationId, callId }: Talked,
    change: Partial<RecordExtractionRequest> = {},
    by = workers.telephony,
  ) =>
    by.client.recordExtraction(
      {
        ...{ organizationId, callId, revision: 1, runId: 'run-1', status: 'ready', simulated: false },
        extraction: documentOf('ExtractionRecord', body),
        ...change,
      },
      context(),
    );
  const failed = { status: 'failed', extraction: documentOf('ExtractionRecord', { ...body, data: null }) };
  const get = ({ organizationId, callId }: Talked, caller = customerCaller(organizationId)) =>
    workers.telephony.request(routes.getCallExtraction, { caller, params: { call_id: callId } });
  const eventsOf = async ({ callId }: Talked): Promise<EventEnvelope[]> => {
    const { rows } = await workers.under.db.query<{ payload: string }>({
      text: `select payload from call_events where call_id = $1 and payload like '%"call.extraction.%' order by resource_seq`,
      values: [callId],
    });
    return rows.map(({ payload }) => JSON.parse(payload) as EventEnvelope);
  };
  const typesOf = async (one: Talked) => (await eventsOf(one)).map(({ type }) => type);

  it('are recorded once per revision, with one event, if recorded concurrently on two replicas and repeated', async () => {
    const one = await talked();
    expect(await refusal(get(one))).toEqual(absent);
    const both = [workers.telephony, workers.second];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => record(one, { runId: `run-${n}` }, both[n % 2])),
    );
    const [first] = answers;
    expect(answers.every(({ recorded }) => recorded?.runId === first?.recorded?.runId)).toBe(true);
    await record(one);
    expect(await typesOf(one)).toEqual(['call.extraction.ready']);
    const { body: read } = await get(one);
    expect(read).toEqual({
      call_id: one.callId,
      agent_id: one.agent.agentId,
      revision: 1,
      status: 'ready',
      ...body,
      created_at: expect.any(String) as string,
    });
  });

  it('publish a failure once; a later run may replace it by a result, but a failure never replaces a result', async () => {
    const one = await talked();
    await record(one, failed);
    await record(one, failed);
    expect(await typesOf(one)).toEqual(['call.extraction.failed']);
    expect((await get(one)).body).toMatchObject({ status: 'failed', data: null });
    await record(one, { runId: 'run-2' });
    await record(one, { ...failed, runId: 'run-3' });
    expect(await typesOf(one)).toEqual(['call.extraction.failed', 'call.extraction.ready']);
    expect((await get(one)).body.status).toBe('ready');
  });

  it('return the newest revision; the data of their event equals the call record', async () => {
    const one = await talked();
    await record(one, { revision: 2, extraction: documentOf('ExtractionRecord', { ...body, summary: 'Second.' }) });
    await record(one, { revision: 1 });
    expect((await get(one)).body).toMatchObject({ revision: 2, summary: 'Second.' });
    const events = await eventsOf(one);
    expect(events).toHaveLength(2);
    expect(events.at(-1)?.data).toEqual(await read(workers.telephony, one.agent, one.callId));
  });

  it("add extraction to the call's components_simulated if they were simulated", async () => {
    const one = await talked();
    const before = (await read(workers.telephony, one.agent, one.callId)).components_simulated;
    await record(one, { simulated: true });
    await record(one, { simulated: true, revision: 2 });
    const after = await read(workers.telephony, one.agent, one.callId);
    expect(after.components_simulated).toEqual([...before, 'extraction']);
    const real = await talked();
    await record(real);
    expect((await read(workers.telephony, real.agent, real.callId)).components_simulated).not.toContain('extraction');
  });

  it('are erased with their call, and not recorded after the erasure', async () => {
    const secret = 'grue-bleen-extraction';
    const one = await talked(secret);
    await record(one, { extraction: documentOf('ExtractionRecord', { ...body, data: { day: secret } }) });
    expect(await tablesWith(workers.under.db, secret)).toEqual(expect.arrayContaining(['call_extractions']));
    await eraseCall(workers.telephony, one.organizationId, one.callId);
    expect(await tablesWith(workers.under.db, secret)).toEqual([]);
    expect(await refusal(get(one))).toEqual(absent);
    expect((await record(one, { revision: 2 })).recorded).toBeUndefined();
    expect(await refusal(get(one))).toEqual(absent);
  });

  it('are readable and writable by their own organization only', async () => {
    const one = await talked();
    await record(one);
    expect(await refusal(get(one, customerCaller(newId('org'))))).toEqual(absent);
    const foreign = { ...one, organizationId: newId('org') };
    expect((await record(foreign, { revision: 2 })).recorded).toBeUndefined();
    const asked = { organizationId: foreign.organizationId, callId: one.callId, revision: 1 };
    expect(await refusal(workers.telephony.client.readForExtraction(asked, context()))).toEqual(absent);
  });

  it('readForExtraction returns the publication, the transcript and the recorded run of the call', async () => {
    const one = await talked();
    await record(one, { revision: 3 });
    const { organizationId, callId } = one;
    const ask = (revision: number) =>
      workers.telephony.client.readForExtraction({ organizationId, callId, revision }, context());
    expect(await ask(3)).toMatchObject({
      agentId: one.agent.agentId,
      endedReason: 'callee_hung_up',
      publicationSha256: one.agent.publicationSha256,
      recorded: { runId: 'run-1', status: 'ready' },
    });
    const { transcript, recorded } = await ask(2);
    expect(recorded).toBeUndefined();
    expect(JSON.parse(String(transcript?.json))).toMatchObject({ turns: [{ text: 'Tuesday' }] });
  });

  it('listTranscribedCalls returns the calls of an agent in a period that have a transcript, in pages', async () => {
    const one = await talked();
    const { organizationId, agentId } = one.agent;
    // A call without a transcript.
    await place(workers.telephony, one.agent);
    const list = async (change: object = {}) =>
      (
        await workers.telephony.client.listTranscribedCalls(
          {
            ...{ organizationId, agentId, afterCallId: '', limit: 10 },
            ...{ from: new Date(Date.now() - 60_000).toISOString(), to: new Date(Date.now() + 60_000).toISOString() },
            ...change,
          },
          context(),
        )
      ).callIds;
    expect(await list()).toEqual([one.callId]);
    expect(await list({ afterCallId: one.callId })).toEqual([]);
    expect(await list({ to: new Date(Date.now() - 59_000).toISOString() })).toEqual([]);
    expect(await list({ organizationId: newId('org') })).toEqual([]);
  });
});
