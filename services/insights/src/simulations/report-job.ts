import { isDeepStrictEqual } from 'node:util';
import type {
  SimulationConversation,
  SimulationJobAnswer,
  SimulationJobReport,
  SimulationScenario,
  SimulationVerdict,
} from '@parley/contract';
import { badRequest, conflict, notFound } from '@parley/errors';
import { isId, type CallContext, type Database, type Queryable, serviceCaller } from '@parley/runtime';
import type { PublicResult } from '@parley/service';
import { runModelExtraction, type StoredConfiguration } from '../extraction';
import type { SimulationDependencies } from './dependencies';
import { endSimulationJob, keepSimulationLease, lockSimulationJob, type JobRow } from './jobs.cross-tenant.sql';
import { completed } from './report.rules';
import { insertResults, repetitionsDone } from './results.sql';
import { countDone, findRun, lockRun, type RunRow } from './runs.sql';

export interface JobReport {
  /** Empty for a hosted runner and for an operator, who can access all jobs. */
  readonly organizationId: string;
  readonly jobId: string;
  readonly body: () => SimulationJobReport;
  readonly context: CallContext;
}

const leaseSeconds = 60;
const over: PublicResult = { body: { canceled: true } satisfies SimulationJobAnswer };
const goesOn: PublicResult = { body: { canceled: false } satisfies SimulationJobAnswer };

/** Returns the leased job. @throws AppError NotFoundError; ConflictError for a stale epoch */
export async function leasedJob(
  tx: Queryable,
  { organizationId, jobId }: Pick<JobReport, 'organizationId' | 'jobId'>,
  epoch: () => number,
): Promise<JobRow> {
  const job = isId('job', jobId) ? await lockSimulationJob(tx, organizationId, jobId) : undefined;
  if (job === undefined) throw notFound('job');
  if (job.epoch !== epoch()) throw conflict('the lease has expired');
  return job;
}

/**
 * Stores the conversations that a worker reports, each once, and renews its lease. With `done` the job ends; then all of its conversations must have been
 * reported.
 * @throws AppError NotFoundError; ConflictError for a stale epoch; BadRequestError if conversations do not belong to the job, or are missing
 */
export async function reportJob(dependencies: SimulationDependencies, report: JobReport): Promise<PublicResult> {
  const { db } = dependencies;
  const { conversations, done = false } = await judged(dependencies, report);
  return db.transaction(async (tx) => {
    const job = await leasedJob(tx, report, () => report.body().epoch);
    const run = await lockRun(tx, job.organization_id, job.simulation_run_id);
    if (run === undefined || run.finished_at !== null) {
      await endSimulationJob(tx, job.job_id);
      return over;
    }
    await keep(tx, job, scenarioOf(run.scenarios, job), conversations);
    if (!done) {
      await keepSimulationLease(tx, job.job_id, leaseSeconds);
      return goesOn;
    }
    const there = await repetitionsDone(tx, job.organization_id, job.simulation_run_id, rangeOf(job));
    if (there.length < job.repetitions) throw badRequest('conversations of the job were not reported');
    await endSimulationJob(tx, job.job_id);
    return goesOn;
  });
}

/** Assertions about extracted data are evaluated before anything is locked, because a model may take long. */
async function judged(
  dependencies: SimulationDependencies,
  report: JobReport,
): Promise<Pick<SimulationJobReport, 'conversations' | 'done'>> {
  const { db } = dependencies;
  const { body, context } = report;
  const job = await db.transaction((tx) => leasedJob(tx, report, () => body().epoch));
  const { conversations, done = false } = body();
  const run = conversations.length === 0 ? undefined : await findRun(db, job.organization_id, job.simulation_run_id);
  if (run === undefined) return { conversations, done };
  const scenario = scenarioOf(run.scenarios, job);
  const judging = conversations.map(async (conversation) => {
    const verdicts = await extractionVerdicts(dependencies, { run, scenario, conversation, context });
    return { ...conversation, verdicts: [...conversation.verdicts, ...verdicts] };
  });
  return { conversations: await Promise.all(judging), done };
}

const rangeOf = ({ scenario, first_repetition: first, repetitions }: JobRow) => ({ scenario, first, repetitions });

function scenarioOf(scenarios: string, job: JobRow): SimulationScenario {
  const scenario = (JSON.parse(scenarios) as SimulationScenario[])[job.scenario];
  if (scenario === undefined) throw new Error(`${job.job_id} is of a scenario that its run does not have`);
  return scenario;
}

async function keep(
  tx: Queryable,
  job: JobRow,
  scenario: SimulationScenario,
  conversations: readonly SimulationConversation[],
): Promise<void> {
  const { first, repetitions } = rangeOf(job);
  const strange = conversations.find(({ repetition }) => repetition < first || repetition >= first + repetitions);
  if (strange !== undefined) throw badRequest(`the job has no conversation ${strange.repetition}`);
  if (conversations.length === 0)
    return countDone(tx, job.organization_id, job.simulation_run_id, { done: 0, failed: 0 });
  const results = conversations.map((conversation) => {
    const { repetition, turns, ended_reason, reason_detail, problems } = conversation;
    const verdicts = completed(scenario, conversation);
    return {
      ...{ scenario: job.scenario, repetition, passed: verdicts.every(({ passed }) => passed) },
      verdicts: JSON.stringify(verdicts),
      document: JSON.stringify({ ended_reason, reason_detail, turns, problems }),
    };
  });
  const passed = await insertResults(tx, job.organization_id, job.simulation_run_id, results);
  const counts = { done: passed.length, failed: passed.filter((one) => !one).length };
  await countDone(tx, job.organization_id, job.simulation_run_id, counts);
}

/** Ends a job that no worker completes. Its missing conversations count as failed. */
export async function failJob(db: Database, { job_id: jobId, epoch }: JobRow): Promise<void> {
  await db.transaction(async (tx) => {
    const job = await lockSimulationJob(tx, '', jobId);
    if (job?.epoch !== epoch) return;
    const run = await lockRun(tx, job.organization_id, job.simulation_run_id);
    if (run !== undefined && run.finished_at === null) {
      const there = await repetitionsDone(tx, job.organization_id, job.simulation_run_id, rangeOf(job));
      const missing = Array.from({ length: job.repetitions }, (_, nth) => job.first_repetition + nth).filter(
        (repetition) => !there.includes(repetition),
      );
      const failed = missing.map((repetition): SimulationConversation => ({
        ...{ repetition, ended_reason: 'worker_lost', reason_detail: null, verdicts: [], turns: [] },
        problems: ['no worker completed the conversation'],
      }));
      await keep(tx, job, scenarioOf(run.scenarios, job), failed);
    }
    await endSimulationJob(tx, jobId);
  });
}

interface Judging {
  readonly run: Pick<RunRow, 'organization_id' | 'agent_id' | 'publication_sha256' | 'extraction'>;
  readonly scenario: SimulationScenario;
  readonly conversation: SimulationConversation;
  readonly context: CallContext;
}

/** Returns verdicts for assertions about extracted data. The data is extracted from the conversation as from a call. */
async function extractionVerdicts(
  { extraction }: SimulationDependencies,
  { run, scenario, conversation, context }: Judging,
): Promise<SimulationVerdict[]> {
  const wanted = scenario.assertions.flatMap((assertion, position) =>
    assertion.type === 'extraction_equals' ? [{ ...assertion, position }] : [],
  );
  if (wanted.length === 0 || run.extraction === null) return [];
  const { extracted, failure } = await runModelExtraction(
    extraction,
    JSON.parse(run.extraction) as StoredConfiguration,
    {
      organizationId: run.organization_id,
      agentId: run.agent_id,
      transcript: { language: scenario.language ?? '', turns: [...conversation.turns] },
      publicationSha256: run.publication_sha256,
      endedReason: conversation.ended_reason,
      context: { ...context, caller: serviceCaller },
    },
  );
  return wanted.map(({ position, path = '', value }) => {
    if (extracted === undefined) return { assertion: position, passed: false, detail: `extraction failed: ${failure}` };
    const found = valueAt(extracted.data, path);
    const passed = isDeepStrictEqual(found, value);
    return { assertion: position, passed, detail: passed ? '' : `${path} is ${JSON.stringify(found) ?? 'absent'}` };
  });
}

const valueAt = (data: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined,
      data,
    );
