import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Parley, SimulationRun, SimulationSuite, SimulationTarget } from '@parley/sdk';
import { Failure } from '../failure.js';

export interface RunOptions {
  readonly repetitions: number;
  readonly target: SimulationTarget;
  readonly spoken: boolean;
  /** An earlier run of the suite to compare with, for `differences`. */
  readonly baseline: string | undefined;
  /** If it is aborted, the run is canceled. */
  readonly signal: AbortSignal;
  readonly onProgress: (run: SimulationRun) => void;
}

const everyMs = 500;

/** Runs a suite until it has finished. If waiting ends early, the run is canceled. */
export async function runSuite(parley: Parley, suite: SimulationSuite, options: RunOptions): Promise<SimulationRun> {
  const { repetitions, target, spoken, baseline, signal, onProgress } = options;
  const { simulation_run_id: id } = await parley.simulationSuites.createSimulationRun({
    path: { simulation_suite_id: suite.simulation_suite_id },
    body: { repetitions, target, ...(spoken && { spoken }) },
  });
  const where = { path: { simulation_run_id: id } };
  try {
    let done = -1;
    for (;;) {
      signal.throwIfAborted();
      const run = await parley.simulationRuns.getSimulationRun({ ...where, signal });
      if (done === -1) requireSame(suite, run);
      if (run.done !== done) onProgress(run);
      done = run.done;
      if (run.status === 'canceled') throw new Failure('api', `${id} was canceled`);
      if (run.status === 'completed')
        return baseline === undefined
          ? run
          : await parley.simulationRuns.getSimulationRun({ ...where, query: { against: baseline } });
      await pause(everyMs, undefined, { signal });
    }
  } catch (error) {
    await parley.simulationRuns.cancelSimulationRun(where).catch(() => undefined);
    throw signal.aborted && signal.reason instanceof Failure ? signal.reason : error;
  }
}

/** Ensures that the run has the scenarios that will be reported, in case someone else has changed the suite between its update and the run. */
function requireSame({ scenarios, name }: SimulationSuite, { results }: SimulationRun): void {
  const ours = scenarios.map((one) => [one.name, one.assertions]);
  const theirs = results.map(({ scenario, assertions }) => [scenario, assertions.map(({ assertion }) => assertion)]);
  if (!isDeepStrictEqual(ours, theirs))
    throw new Failure('conflict', `the suite ${name} was changed elsewhere while its run began`);
}
