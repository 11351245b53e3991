import type {
  SimulationRun,
  SimulationRunStatus,
  SimulationRunSummary,
  SimulationScenario,
  SimulationTarget,
  SimulationVerdict,
} from '@parley/contract';
import { reportOf } from './report.rules';
import type { ResultRow } from './results.sql';
import type { RunRow } from './runs.sql';

const statusOf = ({ canceled, finished_at, started }: RunRow): SimulationRunStatus =>
  canceled ? 'canceled' : finished_at !== null ? 'completed' : started ? 'running' : 'queued';

/** A run as lists return it, without its report. */
export function shownSummary(row: RunRow): SimulationRunSummary {
  const status = statusOf(row);
  return {
    simulation_run_id: row.simulation_run_id,
    simulation_suite_id: row.simulation_suite_id,
    organization_id: row.organization_id,
    agent_id: row.agent_id,
    status,
    target: JSON.parse(row.target) as SimulationTarget,
    publication_version: row.publication_version,
    repetitions: row.repetitions,
    spoken: row.spoken,
    simulated_model: row.simulated_model,
    passed: status === 'completed' ? row.failed === 0 : null,
    conversations: row.conversations,
    done: row.done,
    failed: row.failed,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/** A run as the API returns it, with a report about its finished conversations. */
export function shownRun(row: RunRow, results: readonly Omit<ResultRow, 'document'>[]): SimulationRun {
  const judged = results.map(({ scenario, passed, verdicts }) => ({
    ...{ scenario, passed },
    verdicts: JSON.parse(verdicts) as SimulationVerdict[],
  }));
  return {
    ...shownSummary(row),
    results: reportOf(JSON.parse(row.scenarios) as SimulationScenario[], judged),
    differences: null,
  };
}
