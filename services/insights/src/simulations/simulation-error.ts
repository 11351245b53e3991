import type { SimulationProblem } from '@parley/contract';
import { AppError } from '@parley/errors';

/** 422: a well-formed suite that cannot be run. @param scenario its name; null: the whole suite */
export const simulationError = (scenario: string | null, reason: string): AppError =>
  new AppError('SimulationError', scenario === null ? reason : `${scenario}: ${reason}`, {
    fields: { scenario, reason },
  });

/** @throws AppError SimulationError */
export function refuseProblem(problem: SimulationProblem | undefined): void {
  if (problem !== undefined) throw simulationError(problem.scenario, problem.reason);
}
