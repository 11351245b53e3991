import {
  simulationLimits,
  simulationProblem,
  type SimulationRunCreate,
  type SimulationScenario,
} from '@parley/contract';
import { conflict, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { newId } from '@parley/runtime';
import { auditEvent, creating, findStoredResponse, type CreatingRequest, type PublicResult } from '@parley/service';
import type { SimulationDependencies } from './dependencies';
import { hasRunner } from './jobs.cross-tenant.sql';
import { countUnderWay, insertRun, removeRunsOfSuite, type NewRun } from './runs.sql';
import { refuseProblem, simulationError } from './simulation-error';
import { shownRun } from './shown-run';
import { ownerOfSuite, type AskedOfSuite } from './suites';
import { findSuite } from './suites.sql';
import { triedAgent } from './tried-agent';

/** Number of conversations per job: fewer with a real model, which is slower than the simulated one. */
const perJob = { simulated: 25, model: 2, spoken: 1 } as const;
/** Number of finished runs that are kept per suite; older ones are deleted. */
const keptRuns = 50;

/**
 * Starts a run: pins what is tested, and adds jobs for its conversations, which wait for workers.
 * @throws AppError NotFoundError; SimulationError for scenarios that cannot be run; SuspensionError; ConflictError if too many runs are in progress
 */
export async function createRun(
  dependencies: SimulationDependencies,
  request: AskedOfSuite & {
    readonly body: () => SimulationRunCreate;
    readonly creating: (organizationId: string) => CreatingRequest;
  },
): Promise<PublicResult> {
  const { db, onAudit } = dependencies;
  const organizationId = await ownerOfSuite(db, request);
  const suite = await findSuite(db, organizationId, request.suiteId);
  if (suite === undefined) throw notFound('simulation suite');
  const idempotency = request.creating(organizationId);
  const earlier = await findStoredResponse(db, idempotency);
  if (earlier !== undefined) return { body: earlier.body, replayed: true };
  const { repetitions = 1, target = { type: 'published' }, spoken = false, ...names } = request.body();
  const { organization_id, project_id } = names;
  if ((organization_id ?? organizationId) !== organizationId || (project_id ?? suite.project_id) !== suite.project_id)
    throw forbidden();
  const scenarios = JSON.parse(suite.scenarios) as SimulationScenario[];
  if (scenarios.length === 0) throw simulationError(null, 'the suite has no scenario');
  refuseProblem(simulationProblem(scenarios, spoken));
  const conversations = scenarios.length * repetitions;
  const most = spoken ? simulationLimits.spokenConversations : simulationLimits.conversations;
  if (conversations > most) {
    const what = spoken ? 'spoken run' : 'run';
    throw simulationError(null, `a ${what} must have at most ${most} conversations, not ${conversations}`);
  }
  if (!spoken && !(await hasRunner(db)))
    throw simulationError(null, 'worker_unavailable: no simulation worker requested jobs recently');
  const trying = { suite, scenarios, target, spoken, context: request.context };
  const { needs, ...tried } = await triedAgent(dependencies, trying);
  const run: NewRun = {
    simulation_run_id: newId('run'),
    simulation_suite_id: suite.simulation_suite_id,
    agent_id: suite.agent_id,
    target: JSON.stringify(target),
    ...{ repetitions, conversations, spoken, ...tried },
  };
  const { value, stored } = await creating(
    db,
    idempotency,
    async (tx) => {
      const underWay = await countUnderWay(tx, organizationId);
      if (underWay.all >= simulationLimits.runsUnderWay)
        throw conflict(
          `${simulationLimits.runsUnderWay} runs of the organization are already in progress, the maximum`,
        );
      if (spoken && underWay.spoken >= simulationLimits.spokenRunsUnderWay)
        throw conflict('an organization can have only one spoken run at a time');
      await removeRunsOfSuite(tx, organizationId, suite.simulation_suite_id, keptRuns);
      const row = await insertRun(tx, organizationId, run, jobsOf(scenarios, run), needs);
      const detail = { simulation_suite_id: suite.simulation_suite_id, conversations, spoken };
      const act = { organizationId, action: 'simulation_run.started', subject: row.simulation_run_id, detail };
      await append(tx, [auditEvent(act, row.created_at, request.context)]);
      const body = JSON.stringify(shownRun(row, []));
      return { status: 201, body, recordId: row.simulation_run_id, value: body };
    },
    { recalled: true },
  );
  if (stored !== undefined) return { body: stored.body, replayed: true };
  onAudit();
  return { body: value };
}

function jobsOf(
  scenarios: readonly SimulationScenario[],
  { repetitions, simulated_model: simulated, spoken }: Pick<NewRun, 'repetitions' | 'simulated_model' | 'spoken'>,
) {
  const most = spoken ? perJob.spoken : simulated ? perJob.simulated : perJob.model;
  return scenarios.flatMap((_, scenario) =>
    Array.from({ length: Math.ceil(repetitions / most) }, (_job, nth) => ({
      jobId: newId('job'),
      scenario,
      first: nth * most + 1,
      repetitions: Math.min(most, repetitions - nth * most),
    })),
  );
}
