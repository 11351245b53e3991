import {
  routes,
  type SimulationJob,
  type SimulationRun,
  type SimulationScenario,
  type WorkerProviders,
} from '@parley/contract';
import { AppError } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import type { Caller } from '@parley/runtime';
import { customerCaller, operatorCaller } from '@parley/testing';
import { insightsBench, type InsightsBench, type Replica } from './insights-bench';

const runner: Caller = {
  ...operatorCaller,
  kind: 'hosted_simulation',
  scopes: ['worker_jobs:claim', 'worker_jobs:heartbeat'],
};
const offline: WorkerProviders = { stt: ['simulator', 'offline'], llm: ['simulator'], tts: ['simulator', 'offline'] };
const hosted: WorkerProviders = { stt: ['deepgram'], llm: [], tts: ['cartesia'] };
const real = { transcriber: { provider: 'deepgram', model: 'm' }, voice: { provider: 'cartesia', model: 'm' } };

const scenario = (change: Partial<SimulationScenario> = {}): SimulationScenario => ({
  name: 'asks the price',
  callee: { type: 'script', turns: ['Hello?'] },
  assertions: [{ type: 'ended_reason', is: 'callee_hung_up' }],
  ...change,
});

describe('spoken simulations', () => {
  let bench: InsightsBench;
  let replica: Replica;
  let agent: AgentForCall;

  beforeAll(async () => {
    bench = await insightsBench();
    replica = await bench.replica();
  });
  beforeEach(async () => {
    for (const table of ['simulation_jobs', 'simulation_spoken_offers'])
      await bench.db.query({ name: `no-${table}`, text: `delete from ${table}`, values: [] });
    agent = bench.addAgent();
  });
  afterAll(() => bench.close());

  const caller = () => customerCaller(agent.organizationId);
  const begin = async (body: object = {}, scenarios = [scenario()]): Promise<SimulationRun> => {
    const { organizationId: organization_id, projectId: project_id, agentId: agent_id } = agent;
    const suite = { organization_id, project_id, agent_id, name: 'Spoken', scenarios };
    const made = await replica.request(routes.createSimulationSuite, { caller: caller(), body: suite });
    const { simulation_suite_id } = made.body;
    const asked = { caller: caller(), params: { simulation_suite_id }, body: { spoken: true, ...body } };
    return (await replica.request(routes.createSimulationRun, asked)).body;
  };
  const refusal = async (work: Promise<unknown>): Promise<unknown> => {
    const error = await work.then(
      () => undefined,
      (one: unknown) => one,
    );
    if (!(error instanceof AppError)) throw new Error('was not refused', { cause: error });
    const { scenario: named, reason } = error.fields;
    return [error.status, ...(error.code === 'SimulationError' ? [named, String(reason).split(':')[0]] : [])];
  };
  const read = async ({ simulation_run_id }: SimulationRun): Promise<SimulationRun> =>
    (await replica.request(routes.getSimulationRun, { caller: caller(), params: { simulation_run_id } })).body;
  const claim = async (spoken?: WorkerProviders): Promise<SimulationJob[]> => {
    const body = { capacity: 20, worker_id: 'w', ...(spoken && { spoken }) };
    return (await replica.request(routes.claimSimulationJobs, { caller: runner, body })).body.jobs;
  };
  const report = (job: SimulationJob) =>
    replica.request(routes.reportSimulationJob, {
      caller: runner,
      params: { job_id: job.job_id },
      body: {
        epoch: job.epoch,
        done: true,
        conversations: [
          {
            ...{ repetition: job.first_repetition, ended_reason: 'callee_hung_up', reason_detail: null },
            ...{ problems: [], turns: [], verdicts: [{ assertion: 0, passed: true, detail: '' }] },
          },
        ],
      },
    });

  it('are given to workers that offer them, with one conversation per job and a limit of five minutes', async () => {
    expect(await claim(offline)).toEqual([]);
    const run = await begin({ repetitions: 2 });
    expect(run).toMatchObject({ spoken: true, conversations: 2, status: 'queued' });
    // Workers without audio or without these components do not get them.
    expect([...(await claim()), ...(await claim(hosted))]).toEqual([]);
    const jobs = await claim(offline);
    expect(jobs).toMatchObject([
      { spoken: true, repetitions: 1, runtime_configuration: { effective: { max_call_seconds: 300 } } },
      { spoken: true, repetitions: 1 },
    ]);
    for (const job of jobs) await report(job);
    expect(await read(run)).toMatchObject({ status: 'completed', passed: true, done: 2 });
    await claim();
    const silent = await begin({ spoken: false });
    expect(silent.spoken).toBe(false);
    expect(await claim(offline)).toEqual([]);
    const [job] = await claim();
    expect(job).not.toHaveProperty('spoken');
  });

  it('are refused with 422 without a worker that offers them, with the components of the agent, and accounts for those', async () => {
    expect(await refusal(begin())).toEqual([422, null, 'worker_unavailable']);
    await claim(hosted);
    expect(await refusal(begin())).toEqual([422, null, 'provider_unavailable']);
    agent = bench.addAgent(real);
    expect(await refusal(begin())).toEqual([422, null, 'provider_unavailable']);
    for (const [kind, provider] of [
      ['stt', 'deepgram'],
      ['tts', 'cartesia'],
    ] as const)
      bench.credentials.push({
        ...{ id: `cred_${provider}`, organizationId: agent.organizationId, kind, provider, standby: true },
        ...{ secret: `sk-${provider}`, baseUrl: '' },
      });
    await begin();
    const [job] = (await claim(hosted)) as [SimulationJob];
    const opened = await replica.request(routes.openSimulationCredentials, {
      caller: runner,
      params: { job_id: job.job_id },
      body: { epoch: job.epoch },
    });
    expect(opened.body.components).toMatchObject([
      { kind: 'stt', provider: 'deepgram', secret: 'sk-deepgram' },
      { kind: 'tts', provider: 'cartesia', secret: 'sk-cartesia' },
    ]);
  });

  it('are refused with 422 in a language without a voice for callees, and with more than 50 conversations', async () => {
    await claim(offline);
    agent = bench.addAgent({ language: 'de', languages: ['de', 'en'] });
    expect(await refusal(begin())).toEqual([422, 'asks the price', 'voice_unavailable']);
    expect(await begin({}, [scenario({ language: 'en-GB' })])).toMatchObject({ status: 'queued' });
    agent = bench.addAgent();
    expect(await refusal(begin({ repetitions: 51 }))).toEqual([422, null, expect.any(String)]);
  });

  it('can have the condition noise, which other runs refuse', async () => {
    await claim();
    await claim(offline);
    const noisy = [scenario({ conditions: ['noise'] })];
    expect(await refusal(begin({ spoken: false }, noisy))).toEqual([422, 'asks the price', expect.any(String)]);
    expect(await begin({}, noisy)).toMatchObject({ status: 'queued' });
  });

  it('are limited to one concurrent run per organization, in addition to other runs', async () => {
    await claim();
    await claim(offline);
    const [one, other] = await Promise.allSettled([begin(), begin()]);
    expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected']);
    expect(await refusal(begin())).toEqual([409]);
    expect(await begin({ spoken: false })).toMatchObject({ status: 'queued' });
    agent = bench.addAgent();
    expect(await begin()).toMatchObject({ status: 'queued' });
  });

  it('continue with another worker when one is lost, and fail when no worker offers them any more', async () => {
    await claim(offline);
    const run = await begin();
    const [lost] = (await claim(offline)) as [SimulationJob];
    const age = (table: string, column: string, by: string) =>
      bench.db.query({
        name: `age-${table}`,
        text: `update ${table} set ${column} = now() - interval '${by}'`,
        values: [],
      });
    await age('simulation_jobs', 'due_at', '11 minutes');
    const [again] = (await claim(offline)) as [SimulationJob];
    expect([again.job_id, again.epoch]).toEqual([lost.job_id, 2]);
    await expect(report(lost)).rejects.toMatchObject({ code: 'ConflictError' });
    await age('simulation_jobs', 'due_at', '11 minutes');
    await age('simulation_spoken_offers', 'seen_at', '6 minutes');
    await claim();
    expect(await read(run)).toMatchObject({ status: 'completed', passed: false, done: 1, failed: 1 });
  });
});
