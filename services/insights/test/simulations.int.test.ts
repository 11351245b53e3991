import {
  openApiDocument,
  routes,
  type SimulationAssertion,
  type SimulationConversation,
  type SimulationJob,
  type SimulationJobClaim,
  type SimulationJobReport,
  type SimulationRun,
  type SimulationScenario,
  type SimulationSuite,
} from '@parley/contract';
import { AppError } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { newId, type Caller } from '@parley/runtime';
import { customerCaller, operatorCaller } from '@parley/testing';
import { insightsBench, type InsightsBench, type Replica } from './insights-bench';

/** The hosted simulation runner's. */
const runner: Caller = {
  ...operatorCaller,
  kind: 'hosted_simulation',
  scopes: ['worker_jobs:claim', 'worker_jobs:heartbeat'],
};

async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { scenario, reason } = error.fields;
    return [error.status, error.code, ...(error.code === 'SimulationError' ? [scenario, typeof reason] : [])];
  }
  return 'answered';
}

const scenario = (change: Partial<SimulationScenario> = {}): SimulationScenario => ({
  name: 'asks the price',
  callee: { type: 'script', turns: ['Hello?', 'What does it cost?'] },
  assertions: [
    { type: 'said', text: '80 euros' },
    { type: 'turns_at_most', turns: 9 },
  ],
  ...change,
});

describe('simulations', () => {
  let bench: InsightsBench;
  let replica: Replica;
  let agent: AgentForCall;

  beforeAll(async () => {
    bench = await insightsBench();
    replica = await bench.replica();
    await claim();
  });
  beforeEach(async () => {
    await bench.db.query({ name: 'no-jobs', text: 'delete from simulation_jobs', values: [] });
    agent = bench.addAgent();
  });
  afterAll(() => bench.close());

  const caller = () => customerCaller(agent.organizationId);
  const create = async (scenarios: readonly SimulationScenario[], change: object = {}): Promise<SimulationSuite> => {
    const { organizationId: organization_id, projectId: project_id, agentId: agent_id } = agent;
    const body = { organization_id, project_id, agent_id, name: 'Prices', scenarios: [...scenarios], ...change };
    const { body: suite } = await replica.request(routes.createSimulationSuite, { caller: caller(), body });
    return suite;
  };
  const suiteOf = ({ simulation_suite_id }: SimulationSuite) => ({ caller: caller(), params: { simulation_suite_id } });
  const begin = async (suite: SimulationSuite, body: object = {}): Promise<SimulationRun> =>
    (await replica.request(routes.createSimulationRun, { ...suiteOf(suite), body })).body;
  const runOf = ({ simulation_run_id }: SimulationRun) => ({ caller: caller(), params: { simulation_run_id } });
  const read = async (run: SimulationRun): Promise<SimulationRun> =>
    (await replica.request(routes.getSimulationRun, runOf(run))).body;
  const claim = async (capacity = 20, wait_seconds = 0): Promise<SimulationJob[]> => {
    const body = { capacity, worker_id: 'w', wait_seconds };
    const answer = await replica.request(routes.claimSimulationJobs, { caller: runner, body });
    return answer.body.jobs;
  };
  const report = (job: SimulationJob, conversations: SimulationConversation[], done?: boolean, epoch = job.epoch) =>
    replica.request(routes.reportSimulationJob, {
      caller: runner,
      params: { job_id: job.job_id },
      body: { epoch, conversations, ...(done !== undefined && { done }) },
    });
  const conversation = (repetition: number, failed: readonly number[] = []): SimulationConversation => ({
    ...{ repetition, ended_reason: 'callee_hung_up', reason_detail: null, problems: [] },
    turns: [{ turn_id: '1', speaker: 'agent', text: 'Hi.', started_ms: 0, ended_ms: 900 }],
    verdicts: [0, 1].map((assertion) => {
      const passed = !failed.includes(assertion);
      return { assertion, passed, detail: passed ? '' : 'was not said: 80 euros' };
    }),
  });
  /** Completes every conversation of the queued jobs. */
  const have = async (failed: readonly number[] = []): Promise<void> => {
    for (const job of await claim()) {
      const all = Array.from({ length: job.repetitions }, (_, nth) => conversation(job.first_repetition + nth, failed));
      await report(job, all, true);
    }
  };

  it('are stored in suites, which can be read, listed, changed with If-Match and deleted', async () => {
    const suite = await create([scenario()]);
    const { organizationId, projectId, agentId } = agent;
    expect(suite).toEqual({
      ...{ simulation_suite_id: suite.simulation_suite_id, revision: 1, name: 'Prices', scenarios: [scenario()] },
      ...{ organization_id: organizationId, project_id: projectId, agent_id: agentId },
      ...{ created_at: suite.created_at, updated_at: suite.created_at },
    });
    const change = { ...suiteOf(suite), ifMatch: '"1"', body: { name: 'Other' } };
    const changed = await replica.request(routes.updateSimulationSuite, change);
    expect([changed.etag, changed.body.name]).toEqual(['"2"', 'Other']);
    expect(await refusal(replica.request(routes.updateSimulationSuite, change))).toEqual([409, 'ConflictError']);
    const list = await replica.request(routes.listSimulationSuites, { caller: caller() });
    expect((list.body as { data: object[] }).data).toMatchObject([{ name: 'Other', scenarios: [scenario()] }]);
    await replica.request(routes.deleteSimulationSuite, suiteOf(suite));
    expect(await refusal(replica.request(routes.getSimulationSuite, suiteOf(suite)))).toEqual([404, 'NotFoundError']);
  });

  it('list the runs of a suite newest first, in pages and without results', async () => {
    const suite = await create([scenario()]);
    const other = await create([scenario()], { name: 'Other' });
    const first = await begin(suite);
    await begin(other);
    await have([1]);
    const second = await begin(suite, { repetitions: 2 });
    const pageOf = async (query: object): Promise<{ data: SimulationRun[]; next_cursor: string | null }> =>
      (await replica.request(routes.listSimulationRuns, { ...suiteOf(suite), query: query as never })).body as never;
    const all = await pageOf({});
    expect(all.data).toMatchObject([
      { simulation_run_id: second.simulation_run_id, status: 'queued', conversations: 2, passed: null },
      { simulation_run_id: first.simulation_run_id, status: 'completed', failed: 1, passed: false },
    ]);
    expect(all.data.every((run) => !('results' in run) && !('differences' in run))).toBe(true);
    const newest = await pageOf({ limit: 1 });
    const oldest = await pageOf({ limit: 1, cursor: newest.next_cursor });
    expect([newest, oldest].flatMap(({ data }) => data)).toEqual(all.data);
    expect(oldest.next_cursor).toBeNull();
    await replica.request(routes.deleteSimulationSuite, suiteOf(suite));
    expect(await refusal(pageOf({}))).toEqual([404, 'NotFoundError']);
  });

  it('are 404 for another organization, and cannot be created for an agent of another project', async () => {
    const suite = await create([scenario()]);
    const run = await begin(suite);
    const foreign = customerCaller(newId('org'));
    for (const work of [
      replica.request(routes.getSimulationSuite, { ...suiteOf(suite), caller: foreign }),
      replica.request(routes.createSimulationRun, { ...suiteOf(suite), caller: foreign, body: {} }),
      replica.request(routes.getSimulationRun, { ...runOf(run), caller: foreign }),
      replica.request(routes.listSimulationRuns, { ...suiteOf(suite), caller: foreign }),
      replica.request(routes.listSimulationResults, { ...runOf(run), caller: foreign }),
      replica.request(routes.cancelSimulationRun, { ...runOf(run), caller: foreign }),
      create([scenario()], { project_id: newId('prj') }),
      create([scenario()], { agent_id: newId('agt') }),
    ])
      expect(await refusal(work)).toEqual([404, 'NotFoundError']);
    expect(await refusal(create([scenario()], { organization_id: newId('org') }))).toEqual([403, 'ForbiddenError']);
    // A worker of an organization gets only its jobs.
    const claimed = async (by: Caller) => {
      const body = { capacity: 9, worker_id: 'w' };
      const answer = await replica.request(routes.claimSimulationJobs, { caller: by, body });
      return answer.body.jobs;
    };
    expect(await claimed(foreign)).toEqual([]);
    const [job] = (await claimed(caller())) as [SimulationJob];
    const report = { caller: foreign, params: { job_id: job.job_id }, body: { epoch: 1, conversations: [] } };
    expect(await refusal(replica.request(routes.reportSimulationJob, report))).toEqual([404, 'NotFoundError']);
  });

  it.each<[string, Partial<SimulationScenario>]>([
    ['the conditions voicemail and menu together', { conditions: ['voicemail', 'menu'] }],
    ['the conditions silence and menu together', { conditions: ['silence', 'menu'] }],
    ['a script without turns', { callee: { type: 'script' } }],
    ['a persona without a goal', { callee: { type: 'persona' } }],
    ['a persona with turns', { callee: { type: 'persona', goal: 'x', turns: ['y'] } }],
    ['a script with a goal', { callee: { type: 'script', turns: ['y'], goal: 'x' } }],
    ['no assertions', { assertions: [] }],
    ['an invalid regular expression', { assertions: [{ type: 'said_matching', pattern: '(' }] }],
    ['two stubs of a tool', { stubs: [1, 2].map(() => ({ name: 'a', result: {} })) }],
  ])('with an impossible scenario are refused with 422, scenario and reason: %s', async (_what, change) => {
    const refused = await refusal(create([scenario(), { ...scenario(change), name: 'odd' }]));
    expect(refused).toEqual([422, 'SimulationError', 'odd', 'string']);
  });

  it.each<[string, SimulationAssertion]>([
    ['a missing text', { type: 'said' }],
    ['an unknown end reason', { type: 'ended_reason', is: 'x' }],
    ['a field that belongs to another type of assertion', { type: 'ended_reason', is: 'busy', turns: 2 }],
  ])('with a malformed assertion are refused with 400: %s', async (_what, assertion) => {
    expect(await refusal(create([scenario({ assertions: [assertion] })]))).toEqual([400, 'BadRequestError']);
  });

  it('run with the requested repetitions in leased jobs, with results by scenario and assertion', async () => {
    const suite = await create([scenario(), scenario({ name: 'again' })]);
    const run = await begin(suite, { repetitions: 30 });
    expect(run).toMatchObject({ status: 'queued', conversations: 60, done: 0, passed: null, simulated_model: true });
    const jobs = await claim();
    expect(jobs.map(({ repetitions }) => repetitions).sort()).toEqual([25, 25, 5, 5]);
    expect(jobs[0]).toMatchObject({
      ...{ kind: 'simulation', epoch: 1, simulation_run_id: run.simulation_run_id, agent_id: agent.agentId },
      ...{ organization_id: agent.organizationId, runtime_configuration: { mode: 'hosted', variables: {} } },
    });
    expect(await claim()).toEqual([]);
    const [first, ...rest] = jobs as [SimulationJob, ...SimulationJob[]];
    const [nth] = [first.first_repetition];
    await report(first, [conversation(nth, [0])]);
    // A repeated report, like after a lost answer.
    await report(first, [conversation(nth)]);
    expect(await read(run)).toMatchObject({ status: 'running', done: 1, failed: 1, passed: null });
    expect(await refusal(report(first, [], true))).toEqual([400, 'BadRequestError']);
    expect(await refusal(report(first, [conversation(501 - 1)]))).toEqual([400, 'BadRequestError']);
    expect(await refusal(report(first, [], false, 2))).toEqual([409, 'ConflictError']);
    const all = ({ first_repetition: from, repetitions }: SimulationJob) =>
      Array.from({ length: repetitions }, (_, at) => conversation(from + at));
    for (const job of [first, ...rest]) await report(job, all(job), true);
    expect(await refusal(report(first, []))).toEqual([404, 'NotFoundError']);
    const over = await read(run);
    expect(over).toMatchObject({ status: 'completed', done: 60, failed: 1, passed: false });
    const [failing] = over.results.filter(({ failed }) => failed > 0);
    expect(failing).toMatchObject({ conversations: 30, passed: 29, failed: 1 });
    expect(failing?.assertions[0]).toEqual({
      ...{ assertion: scenario().assertions[0], failed: 1, detail: 'was not said: 80 euros' },
    });
    const page = await replica.request(routes.listSimulationResults, {
      ...runOf(run),
      query: { scenario: 'again', limit: 100 },
    });
    const { data } = page.body as { data: { scenario: string; repetition: number; turns: object[] }[] };
    expect([data.length, data[0]?.scenario, data[0]?.turns.length]).toEqual([30, 'again', 1]);
  });

  it('have equal results for equal conversations, and report regressions and fixes between two runs', async () => {
    const suite = await create([scenario()]);
    const before = await begin(suite, { repetitions: 2 });
    await have();
    const after = await begin(suite, { repetitions: 2, target: { type: 'draft' } });
    await have([0]);
    const again = await begin(suite, { repetitions: 2, target: { type: 'draft' } });
    await have([0]);
    const withoutNames = ({ simulation_run_id: _id, created_at: _at, finished_at: _end, ...rest }: SimulationRun) =>
      rest;
    expect(withoutNames(await read(again))).toEqual(withoutNames(await read(after)));
    const diff = async (run: SimulationRun, against: SimulationRun) => {
      const query = { against: against.simulation_run_id };
      const answer = await replica.request(routes.getSimulationRun, { ...runOf(run), query });
      return answer.body.differences;
    };
    expect((await read(after)).differences).toBeNull();
    const changed = {
      scenario: 'asks the price',
      assertion: scenario().assertions[0],
      detail: 'was not said: 80 euros',
    };
    expect(await diff(after, before)).toEqual([{ ...changed, change: 'regression' }]);
    expect(await diff(before, after)).toEqual([{ ...changed, change: 'fixed' }]);
    expect(await diff(again, after)).toEqual([]);
    const other = await begin(await create([scenario()]));
    expect(await refusal(diff(after, other))).toEqual([400, 'BadRequestError']);
  });

  it('run the publication, the draft or an earlier version, as it was when the run was created', async () => {
    agent = bench.addAgent({ system_prompt: 'as published' }, { system_prompt: 'as stored' });
    const suite = await create([scenario()]);
    const prompts: unknown[] = [];
    for (const target of [{ type: 'published' }, { type: 'draft' }, { type: 'version', version: 1 }]) {
      await begin(suite, { target });
      const [job] = await claim();
      prompts.push((job?.runtime_configuration['publication'] as { system_prompt: string }).system_prompt);
    }
    expect(prompts).toEqual(['as published', 'as stored', 'as published']);
    const absent = begin(suite, { target: { type: 'version', version: 7 } });
    expect(await refusal(absent)).toEqual([422, 'SimulationError', null, 'string']);
    expect(await refusal(begin(suite, { target: { type: 'version' } }))).toEqual([400, 'BadRequestError']);
  });

  it.each<[string, Partial<SimulationScenario>]>([
    ['a persona, if the model is simulated', { callee: { type: 'persona', goal: 'x' } }],
    ['a rubric, if the model is simulated', { assertions: [{ type: 'judged', rubric: 'polite' }] }],
    ['a language that the agent does not speak', { language: 'fr' }],
    [
      'an assertion on an extraction without a configuration',
      { assertions: [{ type: 'extraction_equals', path: 'day', value: 'x' }] },
    ],
  ])('refuse a run with %s', async (_what, change) => {
    const suite = await create([scenario(change)]);
    expect(await refusal(begin(suite))).toEqual([422, 'SimulationError', 'asks the price', 'string']);
  });

  it('refuse a run without an account for the model, and give its credentials only to the worker with the lease', async () => {
    agent = bench.addAgent({ model: { provider: 'openai', model: 'gpt-4.1' } });
    const suite = await create([scenario({ assertions: [{ type: 'judged', rubric: 'polite' }] })]);
    expect(await refusal(begin(suite))).toEqual([422, 'SimulationError', null, 'string']);
    bench.credentials.push({
      ...{ id: 'cred_own', organizationId: agent.organizationId, kind: 'llm', provider: 'openai' },
      ...{ secret: 'sk-own', baseUrl: '' },
    });
    // A credential that is neither bound nor on standby is not used.
    expect(await refusal(begin(suite))).toEqual([422, 'SimulationError', null, 'string']);
    bench.bound.set(agent.agentId, 'cred_own');
    expect(await begin(suite)).toMatchObject({ simulated_model: false });
    const [job] = (await claim()) as [SimulationJob];
    const open = (epoch: number) =>
      replica.request(routes.openSimulationCredentials, {
        caller: runner,
        params: { job_id: job.job_id },
        body: { epoch },
      });
    expect((await open(job.epoch)).body).toMatchObject({
      components: [{ kind: 'llm', provider: 'openai', secret: 'sk-own', base_url: null }],
    });
    expect(await refusal(open(job.epoch + 1))).toEqual([409, 'ConflictError']);
  });

  it('refuse a run while no worker claims jobs', async () => {
    const suite = await create([scenario()]);
    await bench.db.query({
      name: 'no-runner',
      text: `update simulation_runner_seen set seen_at = now() - interval '6 minutes'`,
      values: [],
    });
    expect(await refusal(begin(suite))).toEqual([422, 'SimulationError', null, 'string']);
    await claim();
    expect(await begin(suite)).toMatchObject({ status: 'queued' });
  });

  it('refuse external agents, suspended agents, and more than 5,000 conversations', async () => {
    const suite = await create([scenario()]);
    expect(await refusal(begin(suite, { repetitions: 501 }))).toEqual([400, 'BadRequestError']);
    const many = await create(Array.from({ length: 11 }, (_, nth) => scenario({ name: `${nth}` })));
    expect(await refusal(begin(many, { repetitions: 500 }))).toEqual([422, 'SimulationError', null, 'string']);
    expect(await refusal(begin(await create([])))).toEqual([422, 'SimulationError', null, 'string']);
    agent.mode = 'external_text';
    expect(await refusal(begin(suite))).toEqual([422, 'SimulationError', null, 'string']);
    Object.assign(agent, { mode: 'hosted', status: 'suspended' });
    expect(await refusal(begin(suite))).toEqual([423, 'SuspensionError']);
    agent.status = 'inactive';
    expect(await begin(suite)).toMatchObject({ status: 'queued' });
  });

  it('check assertions on data that is extracted from a conversation', async () => {
    const schema = { type: 'object', properties: { day: { type: 'string', description: 'The agreed day' } } };
    await replica.request(routes.replaceExtraction, {
      caller: caller(),
      params: { agent_id: agent.agentId },
      body: { schema, model: { provider: 'simulator', model: 'rules' } },
    });
    const about = (value: string): SimulationAssertion => ({ type: 'extraction_equals', path: 'day', value });
    const text = 'The agreed day is Tuesday.';
    const run = await begin(await create([scenario({ assertions: [about(text), about('Monday')] })]));
    const [job] = (await claim()) as [SimulationJob];
    const turns = [{ turn_id: '1', speaker: 'callee' as const, text, started_ms: 0, ended_ms: 900 }];
    await report(job, [{ ...conversation(1), verdicts: [], turns }], true);
    const { results } = await read(run);
    expect(results[0]?.assertions.map(({ failed }) => failed)).toEqual([0, 1]);
    expect(results[0]?.assertions[1]?.detail).toContain('Tuesday');
  });

  it('continue with another worker when one is lost, and fail after five lost workers', async () => {
    const run = await begin(await create([scenario()]));
    for (let epoch = 1; epoch <= 5; epoch += 1) {
      expect((await claim()).map((job) => job.epoch)).toEqual([epoch]);
      await bench.db.query({ name: 'lapse', text: `update simulation_jobs set due_at = now()`, values: [] });
    }
    expect(await claim()).toEqual([]);
    expect(await read(run)).toMatchObject({ status: 'completed', passed: false, failed: 1 });
  });

  it('distribute jobs fairly between organizations, each to one worker', async () => {
    await begin(await create([scenario()]), { repetitions: 100 });
    const heavy = agent.organizationId;
    agent = bench.addAgent();
    await begin(await create([scenario()]));
    const claims = await Promise.all(Array.from({ length: 5 }, () => claim(1)));
    const jobs = claims.flat();
    expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(jobs.length);
    expect(jobs).toHaveLength(5);
    expect(jobs.filter(({ organization_id }) => organization_id === heavy)).toHaveLength(4);
  });

  it('can be canceled, after which reports of workers are 404; completed runs cannot be canceled', async () => {
    const run = await begin(await create([scenario()]), { repetitions: 2 });
    const [job] = (await claim()) as [SimulationJob];
    await report(job, [conversation(1)]);
    const cancel = () => replica.request(routes.cancelSimulationRun, runOf(run));
    expect((await cancel()).body).toMatchObject({ status: 'canceled', done: 1, passed: null });
    expect((await cancel()).body).toMatchObject({ status: 'canceled' });
    expect(await refusal(report(job, [conversation(2)], true))).toEqual([404, 'NotFoundError']);
    const over = await begin(await create([scenario()]));
    await have();
    expect(await refusal(replica.request(routes.cancelSimulationRun, runOf(over)))).toEqual([409, 'ConflictError']);
  });

  it('create one run per Idempotency-Key, and at most five concurrent runs per organization', async () => {
    const suite = await create([scenario()]);
    const once = { ...suiteOf(suite), body: {}, key: 'a' };
    const [one, other] = await Promise.all([1, 2].map(() => replica.request(routes.createSimulationRun, once)));
    expect((one?.body as SimulationRun).simulation_run_id).toBe((other?.body as SimulationRun).simulation_run_id);
    for (let nth = 2; nth <= 5; nth += 1) await begin(suite);
    expect(await refusal(begin(suite))).toEqual([409, 'ConflictError']);
  });

  it('are deleted with their agent, like its extraction configuration', async () => {
    const suite = await create([scenario()]);
    const kept = agent;
    await begin(suite);
    const schema = { type: 'object', properties: { day: { type: 'string', description: 'The day' } } };
    const ofAgent = { caller: caller(), params: { agent_id: agent.agentId } };
    await replica.request(routes.replaceExtraction, { ...ofAgent, body: { schema } });
    agent = bench.addAgent();
    const other = await create([scenario()]);
    const old = `set checked_at = now() - interval '2 hours'`;
    for (const table of ['simulation_suites', 'extraction_configurations'])
      await bench.db.query({ name: `age-${table}`, text: `update ${table} ${old}`, values: [] });
    bench.deleteAgent(kept.agentId);
    // Background tasks run when a replica starts.
    const second = await bench.replica();
    const left = async () => {
      const text = `select (select count(*) from simulation_suites where agent_id = $1) + (select count(*) from simulation_runs where agent_id = $1)
        + (select count(*) from extraction_configurations where agent_id = $1) as count`;
      const { rows } = await bench.db.query<{ count: string }>({ name: 'left', text, values: [kept.agentId] });
      return Number(rows[0]?.count);
    };
    while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await second.stop();
    const there = await replica.request(routes.getSimulationSuite, suiteOf(other));
    expect(there.body.simulation_suite_id).toBe(other.simulation_suite_id);
  });

  it('accept from workers the examples of the OpenAPI document, and answer in the form of its examples', async () => {
    const { components } = openApiDocument() as { components: { schemas: Record<string, { examples?: unknown[] }> } };
    const example = (name: string): object => components.schemas[name]?.examples?.[0] as object;
    const namesOf = (value: object | undefined): string[] => Object.keys(value ?? {}).sort();
    agent = bench.addAgent({ model: { provider: 'openai', model: 'gpt-4.1' } });
    bench.credentials.push({
      ...{ id: 'cred_own', organizationId: agent.organizationId, kind: 'llm', provider: 'openai' },
      ...{ secret: 'sk-own', baseUrl: '' },
    });
    bench.bound.set(agent.agentId, 'cred_own');
    await begin(await create([scenario()]));
    const claims = { caller: runner, body: example('SimulationJobClaim') as SimulationJobClaim };
    const [job] = (await replica.request(routes.claimSimulationJobs, claims)).body.jobs as [SimulationJob];
    expect(namesOf(job)).toEqual(namesOf((example('SimulationJobsClaimed') as { jobs: object[] }).jobs[0]));
    const ofJob = { caller: runner, params: { job_id: job.job_id } };
    const lease = { ...example('WorkerCredentialsRequest'), epoch: job.epoch };
    const opened = await replica.request(routes.openSimulationCredentials, { ...ofJob, body: lease });
    const [shown] = (example('SimulationCredentials') as { components: object[] }).components;
    expect(namesOf(opened.body.components[0])).toEqual(namesOf(shown));
    const reported = { ...(example('SimulationJobReport') as SimulationJobReport), epoch: job.epoch };
    const answer = await replica.request(routes.reportSimulationJob, { ...ofJob, body: reported });
    expect([answer.body, namesOf(answer.body)]).toEqual([{ canceled: false }, namesOf(example('SimulationJobAnswer'))]);
  });

  it('can import a scenario from a call: the turns of the other party and the results of tools', async () => {
    const suite = await create([]);
    const call = bench.addCall(agent, [
      ['callee', 'Hello?'],
      ['agent', 'Let me look.'],
      ['callee', 'What does it cost?'],
    ]);
    const { turns } = call.transcript as { turns: { tool_calls?: object[] }[] };
    const calls = { tool_call_id: 'c', name: 'price', arguments: '{}', result: '{"euros":80}', duration_ms: 1 };
    if (turns[1] !== undefined) turns[1].tool_calls = [{ ...calls, outcome: 'succeeded' }];
    const add = (callId: string, name?: string) =>
      replica.request(routes.importSimulationScenario, {
        ...suiteOf(suite),
        body: { call_id: callId, ...(name !== undefined && { name }) },
      });
    const { body } = await add(call.callId, 'a real one');
    expect(body.scenarios).toEqual([
      {
        ...{ name: 'a real one', language: 'en' },
        callee: { type: 'script', turns: ['Hello?', 'What does it cost?'] },
        assertions: [{ type: 'ended_reason', is: 'callee_hung_up' }],
        stubs: [{ name: 'price', result: { euros: 80 } }],
      },
    ]);
    expect(await refusal(add(call.callId, 'a real one'))).toEqual([422, 'SimulationError', 'a real one', 'string']);
    const foreign = bench.addCall(bench.addAgent(), [['callee', 'Hello?']]);
    for (const callId of [foreign.callId, newId('call'), 'x'])
      expect(await refusal(add(callId))).toEqual([404, 'NotFoundError']);
  });
});
