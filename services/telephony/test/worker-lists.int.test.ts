import { routes } from '@parley/contract';
import { customerCaller, operatorCaller } from '@parley/testing';
import { cancelCall, claim, claimOne, complete, place, report } from './test-caller';
import { declareWorkers, hostedCapabilities } from './declared-workers';
import { refusal } from './refusal';
import { WorkerJobs } from './worker-jobs';

describe('lists of workers and of jobs (docs/reference/workers.md)', () => {
  const workers = WorkerJobs.ofFile();

  type Query = Record<string, string | number>;

  const requestOf = ({ organization_id: organizationId = '', ...query }: Query) => ({
    caller: operatorCaller,
    organizationId: String(organizationId),
    query,
  });
  const workersOf = async (query: Query = {}) =>
    (await workers.telephony.request(routes.listWorkers, requestOf(query))).body;
  const jobsOf = async (query: Query = {}) =>
    (await workers.telephony.request(routes.listWorkerJobs, requestOf(query))).body;
  const groups = async (query: Query = {}) => (await workersOf(query)).data;

  it('lists workers grouped by declared capabilities, hosted ones first, with the number of their jobs', async () => {
    const agent = await workers.agentWithNumber();
    await place(workers.telephony, agent);
    await claimOne(workers.telephony);
    const [hosted] = await groups();
    expect(hosted).toMatchObject({ organization_id: null, kind: 'call', present: true, jobs: 1, worker_ids: ['w1'] });
    expect(hosted?.capabilities).toEqual(expect.arrayContaining(['carrier:simulator', 'stt:offline', 'tool:end_call']));
    // Its own workers declare the same, and hold none of the jobs of hosted ones.
    await declareWorkers(workers.under.db, hostedCapabilities, agent.organizationId);
    const own = await groups({ organization_id: agent.organizationId });
    expect(own).toEqual([
      {
        ...hosted,
        organization_id: agent.organizationId,
        jobs: 0,
        worker_ids: [],
        last_seen_at: expect.any(String) as unknown,
      },
    ]);
    await workers.under.db.query({
      text: `update worker_capabilities set last_seen = now() - interval '151 seconds' where organization_id = $1`,
      values: [agent.organizationId],
    });
    expect((await groups({ organization_id: agent.organizationId }))[0]?.present).toBe(false);
    // Page by page, each group once.
    const first = await workersOf({ limit: 1 });
    const rest = await workersOf({ limit: 100, cursor: first.next_cursor ?? '' });
    const all = [...first.data, ...rest.data].map((one) => `${one.organization_id} ${one.kind} ${one.declaration}`);
    expect(all).toContain(`${agent.organizationId} call ${hosted?.declaration}`);
    expect(new Set(all).size).toBe(all.length);
  });

  it('lists jobs newest call first, filtered by organization, state and worker, in pages', async () => {
    const [agent, other] = [await workers.agentWithNumber(), await workers.agentWithNumber()];
    const { call: first } = await place(workers.telephony, agent);
    const done = await workers.claimOf(workers.telephony, first);
    await report(workers.telephony, done, 1, 'dialing', 'answered', { type: 'ended', ended_reason: 'callee_hung_up' });
    await complete(workers.telephony, done);
    const { call: second } = await place(workers.telephony, agent);
    const held = await workers.claimOf(workers.telephony, second);
    const { call: third } = await place(workers.telephony, agent);
    const { call: foreign } = await place(workers.telephony, other);
    const of = { organization_id: agent.organizationId };
    const ids = async (query: Query) => (await jobsOf(query)).data.map(({ call_id }) => call_id);
    expect(await ids(of)).toEqual([third.call_id, second.call_id, first.call_id]);
    expect((await ids({ limit: 4 })).slice(0, 4)).toEqual([
      foreign.call_id,
      third.call_id,
      second.call_id,
      first.call_id,
    ]);
    expect(await ids({ ...of, state: 'queued' })).toEqual([third.call_id]);
    expect(await ids({ ...of, state: 'done' })).toEqual([first.call_id]);
    expect(await ids({ state: 'leased' })).toContain(second.call_id);
    expect(await ids({ ...of, worker_id: 'w1' })).toEqual([second.call_id]);
    expect(await ids({ worker_id: 'no such worker' })).toEqual([]);
    expect(await ids({ organization_id: 'org_none' })).toEqual([]);
    const page = await jobsOf({ ...of, limit: 1 });
    expect(await ids({ ...of, cursor: page.next_cursor ?? '' })).toEqual([second.call_id, first.call_id]);
    const [record] = (await jobsOf({ ...of, state: 'leased' })).data;
    expect(record).toEqual({
      job_id: held.job_id,
      kind: 'call',
      state: 'leased',
      organization_id: agent.organizationId,
      call_id: second.call_id,
      agent_id: agent.agentId,
      dialer: 'hosted',
      worker_id: 'w1',
      epoch: held.epoch,
      available_at: expect.any(String) as unknown,
      lease_expires_at: expect.any(String) as unknown,
      cancel_requested_at: null,
      finished_at: null,
    });
    await cancelCall(workers.telephony, agent.organizationId, third.call_id);
    await claim(workers.telephony, 10);
  });

  it.each(['listWorkers', 'listWorkerJobs'] as const)('%s answers 403 to a customer', async (route) => {
    const caller = customerCaller(workers.under.fakes.addAgent().organizationId);
    expect(await refusal(workers.telephony.request(routes[route], { caller }))).toEqual([403, 'ForbiddenError']);
  });

  it.each([{ state: 'over' }, { worker_id: '' }, { limit: 0 }])(
    'listWorkerJobs rejects the filter %j with 400',
    async (query) => {
      const asking = workers.telephony.request(routes.listWorkerJobs, { caller: operatorCaller, query });
      expect(await refusal(asking)).toEqual([400, 'BadRequestError']);
    },
  );
});
