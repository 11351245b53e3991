import type { OutgoingContext } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { addNumber, as, callOfJob, claim, claimOne, hosted, place, read, simulationCaller } from './caller-of';
import { refusal } from './refusal';
import type { Instance } from './telephony-under-test';
import { WorkerJobs } from './worker-jobs';

describe('claims of worker jobs', () => {
  const workers = WorkerJobs.ofFile();
  let telephony: Instance;
  let second: Instance;

  beforeAll(() => {
    ({ telephony, second } = workers);
  });

  it('one job goes to one worker, however many claim at once at two instances', async () => {
    const agent = await workers.agentWithNumber();
    for (let n = 0; n < 20; n += 1) await place(telephony, agent);
    const claims = await Promise.all(Array.from({ length: 40 }, (_, n) => claim(n % 2 ? telephony : second, 1, 5)));
    const ids = claims.flat().map(({ jobId }) => jobId);
    expect([ids.length, new Set(ids).size]).toEqual([20, 20]);
  });

  it('a waiting claim gets a call that is placed at another instance', async () => {
    const agent = await workers.agentWithNumber();
    const waiting = claim(second, 1, 20);
    const { call } = await place(telephony, agent);
    expect((await waiting).map((job) => callOfJob(job).call_id)).toEqual([call.call_id]);
  });

  it('serves lanes in turn: 500 calls of one organization delay another one by one turn at most', async () => {
    const busy = await workers.agentWithNumber();
    const quiet = await workers.agentWithNumber();
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
    const agent = await workers.agentWithNumber();
    const placed: string[] = [];
    for (let n = 0; n < 5; n += 1) placed.push((await place(telephony, agent)).call.call_id);
    expect((await claim(telephony, 5)).map((job) => callOfJob(job).call_id)).toEqual(placed);
  });

  it("5 r10: a worker key of one organization gets its own jobs alone, a customer's names no other", async () => {
    const [agent, stranger] = [await workers.agentWithNumber(), await workers.agentWithNumber()];
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
    const agent = await workers.agentWithNumber();
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

  it('a call whose publication is gone has failed; it is never handed out', async () => {
    const agent = workers.under.beside.addAgent({ publicationSha256: 'cd'.repeat(32) });
    await addNumber(telephony, agent);
    workers.under.beside.lost.add(agent.publicationSha256);
    const { call } = await place(telephony, agent);
    expect((await claim(telephony, 100)).map((job) => callOfJob(job).call_id)).not.toContain(call.call_id);
    expect(await read(telephony, agent, call.call_id)).toMatchObject({
      status: 'failed',
      ended_reason: 'configuration_unavailable',
    });
  });

  it('the counter of waiting jobs agrees with the jobs that wait, whatever happened to them', async () => {
    const counters = await workers.waiting();
    expect(counters.length).toBeGreaterThan(3);
    for (const { counted, waiting } of counters) expect(counted).toBe(waiting);
  });
});
