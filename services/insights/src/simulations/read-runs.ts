import type {
  SimulationConversation,
  SimulationResult,
  SimulationResultQuery,
  SimulationRunListQuery,
  SimulationScenario,
  SimulationScenarioResult,
  SimulationVerdict,
} from '@parley/contract';
import { conflict, invalidField, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { isId } from '@parley/runtime';
import { auditEvent, pageDocument, pagePosition, type PublicResult } from '@parley/service';
import type { Asked, SimulationDependencies } from './dependencies';
import { findRunOwner } from './owners.cross-tenant.sql';
import { differencesOf } from './report.rules';
import { pageOfResults, readVerdicts, type ResultRow } from './results.sql';
import { cancelRunRow, findRun, lockRun, pageOfRuns, type RunRow } from './runs.sql';
import { shownRun, shownSummary } from './shown-run';
import { ownerOfSuite, type AskedOfSuite } from './suites';
import { findSuite } from './suites.sql';

export interface AskedOfRun extends Asked {
  readonly runId: string;
}

type Parts = Pick<SimulationDependencies, 'db'>;

async function ownerOfRun({ db }: Parts, { organizationId, runId }: AskedOfRun): Promise<string> {
  if (!isId('run', runId)) throw notFound('simulation run');
  const owner = organizationId === '' ? await findRunOwner(db, runId) : organizationId;
  if (owner === undefined) throw notFound('simulation run');
  return owner;
}

async function find(parts: Parts, request: AskedOfRun): Promise<RunRow> {
  const row = await findRun(parts.db, await ownerOfRun(parts, request), request.runId);
  if (row === undefined) throw notFound('simulation run');
  return row;
}

const loadResults = async ({ db }: Parts, row: RunRow): Promise<SimulationScenarioResult[]> =>
  shownRun(row, await readVerdicts(db, row.organization_id, row.simulation_run_id)).results;

/**
 * Returns the run with its report and, if an earlier run is named, the differences from it.
 * @throws AppError NotFoundError if a run does not exist or belongs to another organization; BadRequestError if the earlier run belongs to another suite
 */
export async function getRun(
  parts: Parts,
  request: AskedOfRun & { readonly against: () => string | undefined },
): Promise<PublicResult> {
  const row = await find(parts, request);
  const run = shownRun(row, await readVerdicts(parts.db, row.organization_id, row.simulation_run_id));
  const against = request.against();
  if (against === undefined) return { body: run };
  const before = isId('run', against) ? await findRun(parts.db, row.organization_id, against) : undefined;
  if (before === undefined || before.simulation_suite_id !== row.simulation_suite_id)
    throw invalidField('against', 'not_allowed', 'must be a run of the same suite');
  return { body: { ...run, differences: differencesOf(run.results, await loadResults(parts, before)) } };
}

/** Returns a page of the runs of a suite, newest first. @throws AppError NotFoundError for a suite that is absent or foreign */
export async function listRuns(
  { db }: Parts,
  request: AskedOfSuite & { readonly query: SimulationRunListQuery },
): Promise<PublicResult> {
  const { query, suiteId } = request;
  const organizationId = await ownerOfSuite(db, request);
  if ((await findSuite(db, organizationId, suiteId)) === undefined) throw notFound('simulation suite');
  const { limit, after } = pagePosition(query, ['time', 'text']);
  const [createdAt = '', runId = ''] = after ?? [];
  const rows = await pageOfRuns(db, organizationId, suiteId, {
    limit,
    after: after === undefined ? undefined : { createdAt, runId },
  });
  const shown = (row: RunRow): string => JSON.stringify(shownSummary(row));
  return { body: pageDocument(rows, limit, shown, (row) => [row.created_at.toISOString(), row.simulation_run_id]) };
}

/** Returns a page of conversations, ordered by scenario and repetition. */
export async function listResults(
  parts: Parts,
  request: AskedOfRun & { readonly query: SimulationResultQuery },
): Promise<PublicResult> {
  const row = await find(parts, request);
  const { query } = request;
  const scenarios = JSON.parse(row.scenarios) as SimulationScenario[];
  const position = scenarios.findIndex(({ name }) => name === query.scenario);
  const { limit, after } = pagePosition(query, ['count', 'count']);
  const [scenario = '-1', repetition = '0'] = after ?? [];
  const rows = await pageOfResults(parts.db, row.organization_id, row.simulation_run_id, {
    limit,
    after: { scenario: Number(scenario), repetition: Number(repetition) },
    from: query.scenario === undefined ? 0 : position,
    to: query.scenario === undefined ? scenarios.length : position,
  });
  const shown = (one: ResultRow): string => JSON.stringify(shownResult(scenarios, one));
  return { body: pageDocument(rows, limit, shown, (one) => [one.scenario, one.repetition]) };
}

function shownResult(scenarios: readonly SimulationScenario[], row: ResultRow): SimulationResult {
  const { scenario, repetition, passed, verdicts, document } = row;
  const rest = JSON.parse(document) as Omit<SimulationConversation, 'repetition' | 'verdicts'>;
  return {
    ...{ scenario: scenarios[scenario]?.name ?? '', repetition, passed },
    verdicts: JSON.parse(verdicts) as SimulationVerdict[],
    ...rest,
  };
}

/** @throws AppError NotFoundError; ConflictError for a finished run */
export async function cancelRun({ db, onAudit }: SimulationDependencies, request: AskedOfRun): Promise<PublicResult> {
  const organizationId = await ownerOfRun({ db }, request);
  const row = await db.transaction(async (tx) => {
    const run = await lockRun(tx, organizationId, request.runId);
    if (run === undefined) throw notFound('simulation run');
    if (run.canceled) return run;
    if (run.finished_at !== null) throw conflict('the run is completed');
    const canceled = await cancelRunRow(tx, run.organization_id, request.runId);
    const act = {
      ...{ organizationId: run.organization_id, action: 'simulation_run.canceled', subject: request.runId },
      detail: { done: run.done },
    };
    await append(tx, [auditEvent(act, canceled.finished_at ?? new Date(), request.context)]);
    return canceled;
  });
  onAudit();
  return { body: shownRun(row, await readVerdicts(db, row.organization_id, row.simulation_run_id)) };
}
