import { routes, type EventEnvelope, type WorkerJob } from '@parley/contract';
import { newId } from '@parley/runtime';
import { eventually, testNats, type TestNats, customerCaller } from '@parley/testing';
import { claim, claimOne, complete, heartbeat, place, read, report } from './test-caller';
import { refusal } from './refusal';
import type { Instance } from './telephony-under-test';
import { transcript, WorkerJobs } from './worker-jobs';

describe('worker jobs', () => {
  const workers = WorkerJobs.ofFile();
  let telephony: Instance;
  let second: Instance;

  beforeAll(() => {
    ({ telephony, second } = workers);
  });
  let nats: TestNats;

  beforeAll(async () => {
    nats = await testNats();
  });
  afterAll(() => nats?.close());

  /** The events of one organization, as published to the stream. */
  const eventsOf = (organizationId: string) => {
    const seen: EventEnvelope[] = [];
    nats.connection.subscribe(`events.v1.${organizationId}.>`, {
      callback: (_error, message) => {
        seen.push(message.json<EventEnvelope>());
      },
    });
    return seen;
  };

  it('a report and a completion check that the job exists (404), then the fields (400), then the epoch (409)', async () => {
    const agent = await workers.agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await workers.claimOf(telephony, call);
    const absent = { ...job, job_id: newId('job') };
    const impossible = { ...job, job_id: 'job_nonsense' };
    const stale = { ...job, epoch: job.epoch + 1 };
    const reported = (of: WorkerJob) => refusal(report(telephony, of, 1, 'no such report'));
    const notBase64 = { format: 'wav', duration_ms: 0, data: 'AAAAA' };
    const completed = (of: WorkerJob) => refusal(complete(telephony, of, undefined, undefined, notBase64));
    for (const outcome of [reported, completed]) {
      expect(await outcome(absent)).toEqual([404, 'NotFoundError']);
      expect(await outcome(impossible)).toEqual([404, 'NotFoundError']);
      expect(await outcome(job)).toEqual([400, 'BadRequestError']);
      expect(await outcome(stale)).toEqual([400, 'BadRequestError']);
    }
    expect(await refusal(report(telephony, stale, 1, 'dialing'))).toEqual([409, 'ConflictError']);
  });

  it('a worker conducts a call through two instances; each transition publishes one event, in order', async () => {
    const agent = await workers.agentWithNumber();
    const seen = eventsOf(agent.organizationId);
    await nats.connection.flush();
    const { call } = await place(telephony, agent);
    const job = await workers.claimOf(second, call);
    expect(job.call).toEqual(call);
    expect(job.runtime_configuration).toMatchObject({
      publication: { first_message: 'Hello!' },
      tuning: { opening: { first_speaker: 'agent' } },
      effective: { first_speaker: 'agent', max_call_seconds: 1740, min_interruption_words: 1 },
      variables: {},
    });
    expect(await report(telephony, job, 1, 'dialing')).toEqual({ call_status: 'dialing', cancel_requested: false });
    await report(second, job, 2, 'answered', 'media_started');
    await report(telephony, job, 3, { type: 'ended', ended_reason: 'callee_hung_up' });
    expect(await complete(second, job, transcript, 'human')).toEqual({ call_status: 'completed' });

    await eventually(async () => (seen.length >= 8 ? true : undefined));
    expect(seen.map(({ type, resource_seq }) => [resource_seq, type])).toEqual([
      [1, 'call.created'],
      [2, 'call.queued'],
      [3, 'call.dialing'],
      [4, 'call.answered'],
      [5, 'media.started'],
      [6, 'call.ended'],
      [7, 'call.completed'],
      [8, 'call.transcript.ready'],
    ]);
    const statuses = ['queued', 'queued', 'dialing', 'answered', 'answered', 'ended', 'completed', 'completed'];
    expect(seen.map(({ data }) => data['status'])).toEqual(statuses);
    for (const event of seen) {
      const { organizationId, projectId, agentId } = agent;
      expect(event).toMatchObject({
        organization_id: organizationId,
        project_id: projectId,
        agent_id: agentId,
        resource_id: call.call_id,
        id: expect.stringMatching(/^evt_/),
      });
    }
    const record = await read(telephony, agent, call.call_id);
    expect(seen.at(-1)?.data).toEqual({ ...record });
    expect(record).toMatchObject({ ended_reason: 'callee_hung_up', classification: 'human' });
    // Started seconds are counted, so a slow machine reports more than one.
    const milliseconds = Date.parse(record.ended_at ?? '') - Date.parse(record.answered_at ?? '');
    const seconds = Math.ceil(milliseconds / 1_000);
    expect(record.duration_seconds).toBe(seconds);
    expect(record.cost).toEqual({ currency: 'USD', amount_micros: 1_000 * seconds });
    const request = { caller: customerCaller(agent.organizationId), params: { call_id: call.call_id } };
    const kept = await telephony.request(routes.getTranscript, request);
    expect(kept.body).toMatchObject({ ...transcript, call_id: call.call_id });
  });

  it('call_events contains exactly the published events', async () => {
    const agent = await workers.agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await workers.claimOf(telephony, call);
    await report(telephony, job, 1, 'dialing', { type: 'failed', ended_reason: 'busy' });
    await complete(telephony, job);
    const { rows } = await workers.under.db.query<{ log: string; outbox: string }>({
      text: `select e.payload as log, o.payload as outbox from call_events e join outbox o on o.id = e.event_id
             where e.call_id = $1 order by e.resource_seq`,
      values: [call.call_id],
    });
    expect(rows.map(({ log }) => (JSON.parse(log) as EventEnvelope).type)).toEqual([
      'call.created',
      'call.queued',
      'call.dialing',
      'call.failed',
    ]);
    for (const row of rows) expect(row.log).toBe(row.outbox);
    expect(await read(telephony, agent, call.call_id)).toMatchObject({
      status: 'failed',
      ended_reason: 'busy',
      duration_seconds: null,
    });
  });

  it('repeated reports get the first response; late and contradictory ones change nothing', async () => {
    const agent = await workers.agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await workers.claimOf(telephony, call);
    const first = await report(telephony, job, 1, 'dialing');
    await report(telephony, job, 2, 'answered');
    const before = await read(telephony, agent, call.call_id);
    expect(await report(second, job, 1, 'dialing')).toEqual(first);
    expect(await report(second, job, 1, { type: 'failed', ended_reason: 'busy' })).toEqual(first);
    expect(await report(telephony, job, 3, 'dialing', 'answered')).toEqual({
      call_status: 'answered',
      cancel_requested: false,
    });
    expect(await read(telephony, agent, call.call_id)).toEqual(before);
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        report(n % 2 ? telephony : second, job, 4, { type: 'ended', ended_reason: 'busy' }),
      ),
    );
    expect(await complete(telephony, job, transcript)).toEqual({ call_status: 'completed' });
    expect(await complete(second, job, { turns: [] })).toEqual({ call_status: 'completed' });
    expect(await report(telephony, job, 5, 'answered')).toEqual({ call_status: 'completed', cancel_requested: false });
    const types = await workers.eventTypes(call.call_id);
    expect(types.filter((type) => type === 'call.ended' || type === 'call.completed')).toHaveLength(2);
    expect(await refusal(report(telephony, job, 9, 'singing'))).toEqual([400, 'BadRequestError']);
  });

  it('reports and completions with a stale epoch get 409 and change nothing', async () => {
    const agent = await workers.agentWithNumber();
    const { call } = await place(telephony, agent);
    const lost = await workers.claimOf(telephony, call);
    await workers.giveBack(lost.job_id);
    const job = await workers.claimOf(second, call);
    expect([job.job_id, job.epoch]).toEqual([lost.job_id, lost.epoch + 1]);
    expect(await refusal(report(telephony, lost, 1, 'dialing'))).toEqual([409, 'ConflictError']);
    expect(await refusal(complete(telephony, lost))).toEqual([409, 'ConflictError']);
    expect(await heartbeat(telephony, lost)).toMatchObject({ state: 'lost', cancel_requested: false });
    expect(await heartbeat(telephony, job)).toMatchObject({ state: 'held', cancel_requested: false });
    expect(await read(telephony, agent, call.call_id)).toMatchObject({ status: 'queued' });
    await report(telephony, job, 1, 'dialing');
    expect(await refusal(report(telephony, { ...job, job_id: 'job_nonsense' }, 1, 'dialing'))).toEqual([
      404,
      'NotFoundError',
    ]);
  });

  it('completing a job before it was dialed gets 409', async () => {
    const agent = await workers.agentWithNumber();
    await place(telephony, agent);
    expect(await refusal(complete(telephony, await claimOne(telephony)))).toEqual([409, 'ConflictError']);
  });

  it('a completion without a reported end completes the call with ended_reason worker_failed', async () => {
    const agent = await workers.agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await workers.claimOf(telephony, call);
    await report(telephony, job, 1, 'dialing', 'answered');
    await complete(telephony, job);
    expect(await read(telephony, agent, call.call_id)).toMatchObject({
      status: 'completed',
      ended_reason: 'worker_failed',
    });
  });

  it('canceling a claimed call before its permit ends it; the permit is refused with 409', async () => {
    const agent = await workers.agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await workers.claimOf(telephony, call);
    await workers.cancel(agent, call.call_id);
    expect(await heartbeat(telephony, job)).toMatchObject({ state: 'lost' });
    expect(await refusal(report(second, job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
    expect(await read(telephony, agent, call.call_id)).toMatchObject({ status: 'canceled' });
    expect((await claim(second, 100)).map((again) => again.call.call_id)).not.toContain(call.call_id);
  });

  it.each([
    ['dialing', ['dialing'], 'canceled'],
    ['answered', ['dialing', 'answered'], 'completed'],
  ])('canceling a call that is %s instructs the worker to hang up', async (_, events, status) => {
    const agent = await workers.agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await workers.claimOf(telephony, call);
    await report(telephony, job, 1, ...events);
    await workers.cancel(agent, call.call_id);
    expect(await heartbeat(second, job)).toMatchObject({ state: 'held', cancel_requested: true });
    const answer = await report(second, job, 2, { type: 'ended', ended_reason: 'canceled' });
    expect(answer.cancel_requested).toBe(true);
    expect(await complete(second, job)).toEqual({ call_status: status });
    expect(await read(telephony, agent, call.call_id)).toMatchObject({ status, ended_reason: 'canceled' });
    expect(await refusal(workers.cancel(agent, call.call_id))).toEqual([409, 'ConflictError']);
  });

  it('after all tests of this file, the counters of waiting jobs equal the number of waiting jobs', async () => {
    const counters = await workers.waiting();
    expect(counters.length).toBeGreaterThan(3);
    for (const { counted, waiting } of counters) expect(counted).toBe(waiting);
  });
});
