import { routes } from '@parley/contract';
import type { Caller } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { addNumber, claim, claimOne, heartbeat, hostedCaller, place, read, simulationCaller } from './test-caller';
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

  it('of 40 concurrent claims on two instances each of 20 jobs goes to exactly one', async () => {
    const agent = await workers.agentWithNumber();
    for (let n = 0; n < 20; n += 1) await place(telephony, agent);
    const claims = await Promise.all(Array.from({ length: 40 }, (_, n) => claim(n % 2 ? telephony : second, 1, 5)));
    const ids = claims.flat().map(({ job_id }) => job_id);
    expect([ids.length, new Set(ids).size]).toEqual([20, 20]);
  });

  it('a waiting claim gets a call that is placed at another instance', async () => {
    const agent = await workers.agentWithNumber();
    const waiting = claim(second, 1, 20);
    const { call } = await place(telephony, agent);
    expect((await waiting).map((job) => job.call.call_id)).toEqual([call.call_id]);
  });

  it('serves organizations in turn: 500 calls of one delay a call of another by at most one claim', async () => {
    const busy = await workers.agentWithNumber();
    const quiet = await workers.agentWithNumber();
    for (let n = 0; n < 50; n += 1) await Promise.all(Array.from({ length: 10 }, () => place(telephony, busy)));
    expect(await claim(telephony, 3)).toHaveLength(3);
    await place(telephony, quiet);
    const next = await claim(second, 2);
    const organizations = next.map((job) => job.call.organization_id);
    expect(organizations).toContain(quiet.organizationId);
    await place(telephony, quiet);
    await place(telephony, quiet);
    const turns = (await claim(telephony, 4)).map((job) => job.call.organization_id);
    for (const [index, organization] of turns.entries()) expect(organization).not.toBe(turns[index + 1]);
  });

  it('within an organization calls are claimed in the order in which they were placed', async () => {
    const agent = await workers.agentWithNumber();
    const placed: string[] = [];
    for (let n = 0; n < 5; n += 1) placed.push((await place(telephony, agent)).call.call_id);
    expect((await claim(telephony, 5)).map((job) => job.call.call_id)).toEqual(placed);
  });

  it("a customer's worker gets only jobs of its organization, and 404 for reports on other jobs", async () => {
    const [agent, stranger] = [workers.under.fakes.addAgent(), await workers.agentWithNumber()];
    await addNumber(telephony, agent, undefined, { dialer: 'own' });
    await place(telephony, stranger);
    const { call } = await place(telephony, agent);
    const own = customerCaller(agent.organizationId, ['worker_jobs:claim']);
    const jobs = await claim(telephony, 10, 0, own);
    expect(jobs.map((job) => job.call.call_id)).toEqual([call.call_id]);
    const foreign = await claimOne(telephony);
    const { job_id, epoch } = foreign;
    const body = { epoch, seq: 1, events: [{ type: 'dialing' }] };
    const steal = telephony.request(routes.reportWorkerJob, { caller: own, params: { job_id }, body });
    expect(await refusal(steal)).toEqual([404, 'NotFoundError']);
    expect(await heartbeat(telephony, foreign, own)).toMatchObject({ state: 'lost' });
  });

  it('a hosted worker can claim jobs of its own kind; any other kind gets 403', async () => {
    const agent = await workers.agentWithNumber();
    const { call } = await place(telephony, agent);
    const claimed = async (kinds: readonly string[], caller: Caller) => {
      const body = { kinds, capacity: 10, worker_id: 'simulations' };
      return (await telephony.request(routes.claimWorkerJobs, { caller, body })).body.jobs;
    };
    for (const [kinds, caller] of [
      [['call'], simulationCaller],
      [['simulation', 'call'], simulationCaller],
      [['simulation'], hostedCaller],
      [['call', 'simulation'], hostedCaller],
    ] as const) {
      expect(await refusal(claimed(kinds, caller))).toEqual([403, 'ForbiddenError']);
    }
    expect(await claimed(['simulation'], simulationCaller)).toEqual([]);
    expect((await claimed(['call'], hostedCaller)).map((job) => job.call.call_id)).toContain(call.call_id);
  });

  it.each<[string, Record<string, unknown>, 'served' | 400]>([
    ['no capacity', { capacity: undefined }, 400],
    ['a capacity of 0', { capacity: 0 }, 400],
    ['a capacity of 1', { capacity: 1 }, 'served'],
    ['a capacity of 100', { capacity: 100 }, 'served'],
    ['a capacity of 101', { capacity: 101 }, 400],
    ['a capacity of 1.5', { capacity: 1.5 }, 400],
    ['an empty list of kinds', { kinds: [] }, 400],
    ['a repeated kind', { kinds: ['call', 'call'] }, 400],
    ['an unknown kind', { kinds: ['message'] }, 400],
    ['an empty worker_id', { worker_id: '' }, 400],
    ['a worker_id of 128 characters', { worker_id: 'w'.repeat(128) }, 'served'],
    ['a worker_id of 129 characters', { worker_id: 'w'.repeat(129) }, 400],
    ['a wait of -1 s', { wait_seconds: -1 }, 400],
    ['a wait of 0 s', { wait_seconds: 0 }, 'served'],
    ['a wait of 31 s', { wait_seconds: 31 }, 400],
  ])('a claim with %s: %s', async (_what, change, outcome) => {
    const body = { kinds: ['call'], capacity: 1, worker_id: 'w1', ...change };
    const asked = telephony.request(routes.claimWorkerJobs, { caller: hostedCaller, body });
    if (outcome === 'served') expect((await asked).body).toMatchObject({ jobs: [] });
    else expect(await refusal(asked)).toEqual([outcome, 'BadRequestError']);
  });

  it('never hands out more than the capacity', async () => {
    const agent = await workers.agentWithNumber();
    for (let n = 0; n < 3; n += 1) await place(telephony, agent);
    expect(await claim(telephony, 2)).toHaveLength(2);
    expect(await claim(telephony, 2)).toHaveLength(1);
  });

  it('the long poll of a disconnected worker is canceled, and the next call goes to another worker', async () => {
    const agent = await workers.agentWithNumber();
    const leave = new AbortController();
    const body = { kinds: ['call'], capacity: 1, worker_id: 'gone', wait_seconds: 30 };
    const { signal } = leave;
    const left = refusal(telephony.request(routes.claimWorkerJobs, { caller: hostedCaller, body, signal }));
    // Sent after the claim on the same connection: when it is answered, the claim is already waiting.
    await heartbeat(telephony, { job_id: 'job_1', epoch: 1 });
    leave.abort();
    expect(await left).toEqual([503, 'internal_error']);
    const { call } = await place(telephony, agent);
    expect((await claim(telephony, 1, 20)).map((job) => job.call.call_id)).toEqual([call.call_id]);
  });

  it('a call whose publication no longer exists fails as configuration_unavailable and is never claimed', async () => {
    const agent = workers.under.fakes.addAgent({ publicationSha256: 'cd'.repeat(32) });
    await addNumber(telephony, agent);
    workers.under.fakes.lost.add(agent.publicationSha256);
    const { call } = await place(telephony, agent);
    expect((await claim(telephony, 100)).map((job) => job.call.call_id)).not.toContain(call.call_id);
    expect(await read(telephony, agent, call.call_id)).toMatchObject({
      status: 'failed',
      ended_reason: 'configuration_unavailable',
    });
  });

  it('after all tests of this file, the counters of waiting jobs equal the number of waiting jobs', async () => {
    const counters = await workers.waiting();
    expect(counters.length).toBeGreaterThan(3);
    for (const { counted, waiting } of counters) expect(counted).toBe(waiting);
  });
});
