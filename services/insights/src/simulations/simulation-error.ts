import type { SimulationProblem } from '@parley/contract';
import { AppError } from '@parley/errors';

/** The error 422 for a suite that is well-formed but cannot be run. @param scenario the name of the scenario; null for the whole suite */
export const simulationError = (scenario: string | null, reason: string): AppError =>
  new AppError('SimulationError', scenario === null ? reason : `${scenario}: ${reason}`, {
    fields: { scenario, reason },
  });

/** @throws AppError SimulationError if there is a problem */
export function refuseProblem(problem: SimulationProblem | undefined): void {
  if (problem !== undefined) throw simulationError(problem.scenario, problem.reason);
}
