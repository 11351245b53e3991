import type { EventEnvelope } from '@parley/contract';
import { badRequest } from '@parley/errors';
import { jsonOf, newId, refusalOf, type OutgoingContext } from '@parley/runtime';
import { eventually, testNats, type TestNats } from '@parley/testing';
import {
  addNumber,
  as,
  callOfJob,
  claim,
  claimOne,
  complete,
  customer,
  hosted,
  place,
  read,
  report,
  simulationCaller,
} from './caller-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';
import { customerCaller } from '@parley/testing';

const transcript = { turns: [{ speaker: 'agent', text: 'Hello!', started_ms: 0, ended_ms: 900 }] };

describe('worker jobs', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;
  let nats: TestNats;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    // What a test claims and leaves goes back when its lease runs out, as it must, and would turn up in a later test: here
    // no lease runs out. The reaper has a file of its own.
    telephony = await under.start({ workerLeaseSeconds: 300 });
    second = await under.start({ workerLeaseSeconds: 300 });
    nats = await testNats();
  });
  afterAll(async () => {
    await nats.close();
    await under.stop();
  });
  beforeEach(() => drain(telephony));

  const agentWithNumber = async () => {
    const agent = under.beside.addAgent();
    await addNumber(telephony, agent);
    return agent;
  };

  /** The events of one organization as they pass on the stream. */
  const eventsOf = (organizationId: string) => {
    const seen: EventEnvelope[] = [];
    nats.connection.subscribe(`events.v1.${organizationId}.>`, {
      callback: (_error, message) => {
        seen.push(message.json<EventEnvelope>());
      },
    });
    return seen;
  };

  /** Claims, and makes sure that it is the job of that call: another one would be a leftover, or a wrong turn. */
  const claimOf = async (instance: Instance, call: { readonly call_id: string }) => {
    const job = await claimOne(instance);
    expect(callOfJob(job)).toMatchObject({ call_id: call.call_id });
    return job;
  };

  const cancel = (agent: { organizationId: string }, callId: string) =>
    telephony.client.cancelCall({ organizationId: agent.organizationId, callId }, customer(agent.organizationId));

  const heartbeat = async (instance: Instance, job: { jobId: string; epoch: string }) => {
    const request = { organizationId: '', workerId: 'w1', leases: [{ jobId: job.jobId, epoch: job.epoch }] };
    return (await instance.client.heartbeat(request, hosted)).leases[0];
  };

  it('7.2: a report and a completion look for the job, then at the fields, then at the epoch', async () => {
    const agent = await agentWithNumber();
    const { call } = await place(telephony, agent);
    const { jobId, epoch } = await claimOf(telephony, call);
    const write = (id: string, of: string) => ({
      organizationId: '',
      jobId: id,
      epoch: of,
      refusal: refusalOf(badRequest('x')),
    });
    const reported = (id: string, of: string) =>
      refusal(telephony.client.reportJob({ ...write(id, of), seq: '1', events: [] }, hosted));
    const completed = (id: string, of: string) =>
      refusal(
        telephony.client.completeJob(
          { ...write(id, of), transcript: undefined, classification: '', classificationDetail: '' },
          hosted,
        ),
      );
    const absent = newId('job');
    for (const outcome of [reported, completed]) {
      expect(await outcome(absent, epoch)).toEqual([404, 'NotFoundError']);
      expect(await outcome(jobId, epoch)).toEqual([400, 'BadRequestError']);
      expect(await outcome(jobId, String(BigInt(epoch) + 1n))).toEqual([400, 'BadRequestError']);
    }
    expect(await refusal(report(telephony, { jobId: absent, epoch }, 1, 'no such report'))).toEqual([
      404,
      'NotFoundError',
    ]);
    expect(await refusal(report(telephony, { jobId, epoch }, 1, 'no such report'))).toEqual([400, 'BadRequestError']);
  });

  it('5: conducts a call through two instances; every transition is one event, on the stream, in order', async () => {
    const agent = await agentWithNumber();
    const seen = eventsOf(agent.organizationId);
    await nats.connection.flush();
    const { call } = await place(telephony, agent);
    const job = await claimOf(second, call);
    expect(callOfJob(job)).toEqual(call);
    expect(jsonOf(job.runtimeConfiguration)).toMatchObject({
      publication: { first_message: 'Hello!' },
      tuning: { opening: { first_speaker: 'agent' } },
      effective: { first_speaker: 'agent', max_call_seconds: 1740, min_interruption_words: 1 },
      variables: {},
    });
    expect(await report(telephony, job, 1, 'dialing')).toEqual({ callStatus: 'dialing', cancelRequested: false });
    await report(second, job, 2, 'answered', 'media_started');
    await report(telephony, job, 3, { type: 'ended', endedReason: 'callee_hung_up' });
    expect(await complete(second, job, transcript, 'human')).toEqual({ callStatus: 'completed' });

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
    expect(record).toMatchObject({ ended_reason: 'callee_hung_up', classification: 'human', duration_seconds: 1 });
    expect(record.cost).toEqual({ currency: 'USD', amount_micros: 1000 });
    const kept = await telephony.client.getTranscript(
      { organizationId: agent.organizationId, callId: call.call_id },
      customer(agent.organizationId),
    );
    expect(jsonOf(kept.document)).toMatchObject({ ...transcript, call_id: call.call_id });
  });

  it('5: the log of a call holds exactly what was published', async () => {
    const agent = await agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await claimOf(telephony, call);
    await report(telephony, job, 1, 'dialing', { type: 'failed', endedReason: 'busy' });
    await complete(telephony, job);
    const { rows } = await under.db.query<{ log: string; outbox: string }>({
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

  it('repeated reports are answered as the first was; late and wrong ones change nothing', async () => {
    const agent = await agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await claimOf(telephony, call);
    const first = await report(telephony, job, 1, 'dialing');
    await report(telephony, job, 2, 'answered');
    const before = await read(telephony, agent, call.call_id);
    expect(await report(second, job, 1, 'dialing')).toEqual(first);
    expect(await report(second, job, 1, { type: 'failed', endedReason: 'busy' })).toEqual(first);
    expect(await report(telephony, job, 3, 'dialing', 'answered')).toEqual({
      callStatus: 'answered',
      cancelRequested: false,
    });
    expect(await read(telephony, agent, call.call_id)).toEqual(before);
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        report(n % 2 ? telephony : second, job, 4, { type: 'ended', endedReason: 'x' }),
      ),
    );
    expect(await complete(telephony, job, transcript)).toEqual({ callStatus: 'completed' });
    expect(await complete(second, job, { turns: [] })).toEqual({ callStatus: 'completed' });
    expect(await report(telephony, job, 5, 'answered')).toEqual({ callStatus: 'completed', cancelRequested: false });
    const types = await eventTypes(call.call_id);
    expect(types.filter((type) => type === 'call.ended' || type === 'call.completed')).toHaveLength(2);
    expect(await refusal(report(telephony, job, 9, 'singing'))).toEqual([400, 'BadRequestError']);
  });

  it('a stale epoch is a 409 in every write, and nothing of it is taken', async () => {
    const agent = await agentWithNumber();
    const { call } = await place(telephony, agent);
    const lost = await claimOf(telephony, call);
    await expireLease(lost.jobId, true);
    const job = await claimOf(second, call);
    expect([job.jobId, BigInt(job.epoch)]).toEqual([lost.jobId, BigInt(lost.epoch) + 1n]);
    expect(await refusal(report(telephony, lost, 1, 'dialing'))).toEqual([409, 'ConflictError']);
    expect(await refusal(complete(telephony, lost))).toEqual([409, 'ConflictError']);
    expect(await heartbeat(telephony, lost)).toMatchObject({ state: 'lost' });
    expect(await heartbeat(telephony, job)).toMatchObject({ state: 'held', cancelRequested: false });
    expect(await read(telephony, agent, call.call_id)).toMatchObject({ status: 'queued' });
    await report(telephony, job, 1, 'dialing');
    expect(await refusal(report(telephony, { ...job, jobId: 'job_nonsense' }, 1, 'dialing'))).toEqual([
      404,
      'NotFoundError',
    ]);
  });

  it('a job that was not dialled cannot be completed', async () => {
    const agent = await agentWithNumber();
    await place(telephony, agent);
    expect(await refusal(complete(telephony, await claimOne(telephony)))).toEqual([409, 'ConflictError']);
  });

  it('one job goes to one worker, however many claim at once at two instances', async () => {
    const agent = await agentWithNumber();
    for (let n = 0; n < 20; n += 1) await place(telephony, agent);
    const claims = await Promise.all(Array.from({ length: 40 }, (_, n) => claim(n % 2 ? telephony : second, 1, 5)));
    const ids = claims.flat().map(({ jobId }) => jobId);
    expect([ids.length, new Set(ids).size]).toEqual([20, 20]);
  });

  it('a waiting claim gets a call that is placed at another instance', async () => {
    const agent = await agentWithNumber();
    const waiting = claim(second, 1, 20);
    const { call } = await place(telephony, agent);
    expect((await waiting).map((job) => callOfJob(job).call_id)).toEqual([call.call_id]);
  });

  it('serves lanes in turn: 500 calls of one organization delay another one by one turn at most', async () => {
    const busy = await agentWithNumber();
    const quiet = await agentWithNumber();
    for (let n = 0; n < 50; n += 1) await Promise.all(Array.from({ length: 10 }, () => place(telephony, busy)));
    expect(await claim(telephony, 3)).toHaveLength(3);
    await place(telephony, quiet);
    const next = await claim(second, 2);
    const organizations = next.map((job) => callOfJob(job).organization_id);
    expect(organizations).toContain(quiet.organizationId);
    await place(telephony, quiet);
    await place(telephony, quiet);
    const turns = (await claim(telephony, 4)).map((job) => callOfJob(job).organization_id);
    for (const [index, organization] of turns.entries()) expect(organization).not.toBe(turns[index + 1]);
  });

  it('inside an organization the first placed is the first served', async () => {
    const agent = await agentWithNumber();
    const placed: string[] = [];
    for (let n = 0; n < 5; n += 1) placed.push((await place(telephony, agent)).call.call_id);
    expect((await claim(telephony, 5)).map((job) => callOfJob(job).call_id)).toEqual(placed);
  });

  it("5 r10: a worker key of one organization gets its own jobs alone, a customer's names no other", async () => {
    const [agent, stranger] = [await agentWithNumber(), await agentWithNumber()];
    await place(telephony, stranger);
    const { call } = await place(telephony, agent);
    const own = as(customerCaller(agent.organizationId, ['worker_jobs:claim']));
    const request = { organizationId: '', kinds: ['call'], capacity: 10, workerId: 'mine', waitSeconds: 0 };
    const { jobs } = await telephony.client.claimJobs(request, own);
    expect(jobs.map((job) => callOfJob(job).call_id)).toEqual([call.call_id]);
    const foreign = await claimOne(telephony);
    const { jobId, epoch } = foreign;
    const steal = telephony.client.reportJob({ organizationId: '', jobId, epoch, seq: '1', events: [] }, own);
    expect(await refusal(steal)).toEqual([404, 'NotFoundError']);
    const beat = await telephony.client.heartbeat(
      { organizationId: '', workerId: 'mine', leases: [{ jobId, epoch }] },
      own,
    );
    expect(beat.leases[0]?.state).toBe('lost');
  });

  it('5 r11: a hosted worker is given jobs of its own kind and is refused every other', async () => {
    const agent = await agentWithNumber();
    const { call } = await place(telephony, agent);
    const request = { organizationId: '', capacity: 10, workerId: 'simulations', waitSeconds: 0 };
    const claim = (kinds: string[], context: OutgoingContext) =>
      telephony.client.claimJobs({ ...request, kinds }, context);
    const runner = as(simulationCaller);
    for (const [kinds, context] of [
      [['call'], runner],
      [['simulation', 'call'], runner],
      [['simulation'], hosted],
      [['call', 'simulation'], hosted],
    ] as const) {
      expect(await refusal(claim([...kinds], context))).toEqual([403, 'ForbiddenError']);
    }
    expect((await claim(['simulation'], runner)).jobs).toEqual([]);
    const { jobs } = await claim(['call'], hosted);
    expect(jobs.map((job) => callOfJob(job).call_id)).toContain(call.call_id);
  });

  it('7.3: while a window is active queued calls wait, at every instance, and nothing is consumed', async () => {
    const agent = await agentWithNumber();
    under.beside.control.maintenance = true;
    // Trusted for a second: after one poll of each instance nobody claims.
    await eventually(async () => {
      await place(telephony, agent);
      const got = [...(await claim(telephony, 100)), ...(await claim(second, 100))];
      return got.length === 0 ? true : undefined;
    });
    const { call } = await place(telephony, agent);
    const waiting = claim(second, 100, 20);
    expect(await claim(telephony, 100, 0)).toEqual([]);
    expect(await read(telephony, agent, call.call_id)).toMatchObject({ status: 'queued' });
    under.beside.control.maintenance = false;
    expect((await waiting).map((job) => callOfJob(job).call_id)).toContain(call.call_id);
  });

  it('7.3 calls in progress: workers report, keep and complete them in a window as ever; one that nobody dialled goes back and waits', async () => {
    const agent = await agentWithNumber();
    const begun = await Promise.all([1, 2, 3, 4].map(() => place(telephony, agent)));
    const jobs = await claim(telephony, 4);
    const [ringing, talking, over, claimed] = jobs.map((job) => ({ job, callId: callOfJob(job).call_id }));
    if (ringing === undefined || talking === undefined || over === undefined || claimed === undefined) {
      throw new Error('four calls were placed');
    }
    await report(telephony, ringing.job, 1, 'dialing');
    await report(telephony, talking.job, 1, 'dialing', 'answered');
    await report(telephony, over.job, 1, 'dialing', 'answered', { type: 'ended', endedReason: 'callee_hung_up' });
    under.beside.control.maintenance = true;
    try {
      for (const instance of [telephony, second]) {
        await eventually(async () => {
          await place(instance, agent);
          const got = await claim(instance, 100);
          return got.length === 0 ? true : undefined;
        });
      }
      for (const { job } of [ringing, talking, over]) {
        expect(await heartbeat(second, job)).toMatchObject({ state: 'held', cancelRequested: false });
      }
      await report(second, ringing.job, 2, 'answered', 'media_started');
      for (const { job } of [ringing, talking]) {
        await report(telephony, job, 3, { type: 'ended', endedReason: 'callee_hung_up' });
      }
      for (const { job, callId } of [ringing, talking, over]) {
        expect(await complete(second, job, transcript, 'human')).toEqual({ callStatus: 'completed' });
        expect(await read(telephony, agent, callId)).toMatchObject({
          status: 'completed',
          ended_reason: 'callee_hung_up',
        });
      }
      for (const instance of [telephony, second]) {
        expect(await refusal(report(instance, claimed.job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
      }
      expect(await read(telephony, agent, claimed.callId)).toMatchObject({ status: 'queued', dialing_at: null });
      expect(await claim(second, 100)).toEqual([]);
    } finally {
      under.beside.control.maintenance = false;
    }
    const again = await eventually(async () =>
      (await claim(second, 100, 1)).find((job) => callOfJob(job).call_id === claimed.callId),
    );
    expect(await report(telephony, again, 1, 'dialing')).toMatchObject({ callStatus: 'dialing' });
    expect(begun.map(({ call }) => call.call_id)).toContain(claimed.callId);
  });

  it.each(['organization', 'agent'] as const)(
    'a call that was given out when its %s is suspended is not dialled',
    async (what) => {
      const agent = await agentWithNumber();
      const { call } = await place(telephony, agent);
      const job = await claimOf(telephony, call);
      const { control } = under.beside;
      if (what === 'organization') control.suspendedOrganizations = [agent.organizationId];
      else control.suspendedAgents = [agent.agentId];
      try {
        // Obeyed within a second: until then the permit would be given, so that it is asked for once it is known.
        await eventually(async () => ((await refusal(place(second, agent)).catch(() => undefined)) ? true : undefined));
        expect(await refusal(report(second, job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
        expect(await read(telephony, agent, call.call_id)).toMatchObject({ status: 'queued' });
      } finally {
        control.suspendedOrganizations = [];
        control.suspendedAgents = [];
      }
      const again = await eventually(async () =>
        (await claim(second, 100, 1)).find((other) => callOfJob(other).call_id === call.call_id),
      );
      expect(await report(second, again, 1, 'dialing')).toMatchObject({ callStatus: 'dialing' });
    },
  );

  it('jobs of a suspended organization wait, others go on', async () => {
    const [held, free] = [await agentWithNumber(), await agentWithNumber()];
    await place(telephony, held);
    under.beside.control.suspendedOrganizations = [held.organizationId];
    await eventually(async () => ((await refusal(place(second, held)).catch(() => undefined)) ? true : undefined));
    const { call } = await place(telephony, free);
    const jobs = await eventually(async () => {
      const got = await claim(second, 10, 1);
      return got.length > 0 ? got : undefined;
    });
    expect(jobs.map((job) => callOfJob(job).call_id)).toContain(call.call_id);
    expect(jobs.map((job) => callOfJob(job).organization_id)).not.toContain(held.organizationId);
    under.beside.control.suspendedOrganizations = [];
    // Reinstated, they go on, at every instance: each gives out a job of that organization.
    for (const instance of [second, telephony]) {
      await eventually(async () => {
        await place(instance, held).catch(() => undefined);
        const got = await claim(instance, 100);
        return got.some((job) => callOfJob(job).organization_id === held.organizationId) ? true : undefined;
      });
    }
  });

  it('cancel of a claimed call before the permit: canceled, and the permit is refused', async () => {
    const agent = await agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await claimOf(telephony, call);
    await cancel(agent, call.call_id);
    expect(await heartbeat(telephony, job)).toMatchObject({ state: 'lost' });
    expect(await refusal(report(second, job, 1, 'dialing'))).toEqual([409, 'ConflictError']);
    expect(await read(telephony, agent, call.call_id)).toMatchObject({ status: 'canceled' });
    expect((await claim(second, 100)).map((again) => callOfJob(again).call_id)).not.toContain(call.call_id);
  });

  it.each([
    ['dialing', ['dialing'], 'canceled'],
    ['answered', ['dialing', 'answered'], 'completed'],
  ])('cancel of a call that is %s asks the worker to hang up', async (_, events, status) => {
    const agent = await agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await claimOf(telephony, call);
    await report(telephony, job, 1, ...events);
    await cancel(agent, call.call_id);
    expect(await heartbeat(second, job)).toMatchObject({ state: 'held', cancelRequested: true });
    const answer = await report(second, job, 2, { type: 'ended', endedReason: 'canceled' });
    expect(answer.cancelRequested).toBe(true);
    expect(await complete(second, job)).toEqual({ callStatus: status });
    expect(await read(telephony, agent, call.call_id)).toMatchObject({ status, ended_reason: 'canceled' });
    expect(await refusal(cancel(agent, call.call_id))).toEqual([409, 'ConflictError']);
  });

  it('a worker that completes without having told how the call went finishes it all the same', async () => {
    const agent = await agentWithNumber();
    const { call } = await place(telephony, agent);
    const job = await claimOf(telephony, call);
    await report(telephony, job, 1, 'dialing', 'answered');
    await complete(telephony, job);
    expect(await read(telephony, agent, call.call_id)).toMatchObject({
      status: 'completed',
      ended_reason: 'worker_failed',
    });
  });

  it('a call whose publication is gone has failed; it is never handed out', async () => {
    const agent = under.beside.addAgent({ publicationSha256: 'cd'.repeat(32) });
    await addNumber(telephony, agent);
    under.beside.lost.add(agent.publicationSha256);
    const { call } = await place(telephony, agent);
    expect((await claim(telephony, 100)).map((job) => callOfJob(job).call_id)).not.toContain(call.call_id);
    expect(await read(telephony, agent, call.call_id)).toMatchObject({
      status: 'failed',
      ended_reason: 'configuration_unavailable',
    });
  });

  it('the counter of waiting jobs agrees with the jobs that wait, whatever happened to them', async () => {
    const { rows } = await under.db.query<{ counted: number; waiting: string }>({
      text: `select c.queued as counted, (select count(*) from jobs j where j.organization_id = c.organization_id
               and j.state = 'queued') as waiting from organization_controls c`,
    });
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) expect(row.counted).toBe(Number(row.waiting));
  });

  /** Makes a lease expire now; `reap` also does what the reaper would, long before its gate opens. */
  async function expireLease(jobId: string, reap: boolean): Promise<void> {
    if (!reap) return;
    await under.db.query({
      text: `with back as (update jobs set state = 'queued', lease_expires_at = null, worker_id = null where job_id = $1
               returning organization_id)
             update organization_controls c set queued = queued + 1 from back where c.organization_id = back.organization_id`,
      values: [jobId],
    });
  }

  async function eventTypes(callId: string): Promise<string[]> {
    const { rows } = await under.db.query<{ type: string }>({
      text: 'select type from call_events where call_id = $1 order by resource_seq',
      values: [callId],
    });
    return rows.map(({ type }) => type);
  }

  /** Takes every job that waits, so that a test sees its own alone. */
  async function drain(instance: Instance): Promise<void> {
    while ((await claim(instance, 100)).length > 0);
  }
});
