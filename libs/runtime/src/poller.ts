import type { Background } from './background';
import { systemClock, type Clock } from './clock';
import type { Logger } from './log';

export interface PollerOptions {
  name: string;
  /** Milliseconds between the end of one run and the start of the next. */
  everyMs: number;
  /** Performs one run; `signal` is aborted by `stop`. Errors are logged and lengthen the pause until the next run. */
  run(signal: AbortSignal): Promise<void>;
  log: Logger;
  /** Used to measure the duration of runs. */
  clock?: Clock;
}

export interface Poller extends Background {
  /** Requests a run as soon as possible: now, or once more after the current run. */
  wake(): void;
}

/** The number of failures of each background task of this process, for `parley_background_task_failures_total`. */
export const taskFailures = new Map<string, number>();

/** Maximum pause after failures. Frequent tasks should continue soon after an outage; rare ones may pause longer. */
const MAX_BACKOFF_MS = { frequent: 2_000, rare: 30_000 } as const;
const FREQUENT_MS = 1_000;

/**
 * Repeats `run`, never twice at the same time. It continues after errors: the pause doubles up to 30 s, or up to 2 s for tasks that normally run at least every
 * second. It stops promptly.
 */
export function poller(options: PollerOptions): Poller {
  const { name, everyMs, run, log, clock = systemClock } = options;
  let stopping: AbortController | undefined;
  let loop: Promise<void> = Promise.resolve();
  let resume: (() => void) | undefined;
  let woken = false;

  const pause = async (ms: number): Promise<void> => {
    if (woken || stopping?.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    resume = undefined;
  };

  const repeat = async (signal: AbortSignal): Promise<void> => {
    let failures = 0;
    while (!signal.aborted) {
      woken = false;
      const started = clock.monotonicMs();
      try {
        await run(signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        taskFailures.set(name, (taskFailures.get(name) ?? 0) + 1);
        log.error(
          { err: error, task: name, failures, ms: Math.round(clock.monotonicMs() - started) },
          'background task failed',
        );
      }
      // A wake-up is ignored after a failure, so that a failing task does not run without a pause.
      if (failures > 0) woken = false;
      await pause(failures === 0 ? everyMs : backoff(everyMs, failures));
    }
  };

  return {
    name,
    start() {
      if (stopping !== undefined && !stopping.signal.aborted) return;
      stopping = new AbortController();
      taskFailures.set(name, taskFailures.get(name) ?? 0);
      loop = repeat(stopping.signal);
    },
    async stop() {
      stopping?.abort();
      resume?.();
      await loop;
    },
    wake() {
      woken = true;
      resume?.();
    },
  };
}

function backoff(everyMs: number, failures: number): number {
  const longest = everyMs <= FREQUENT_MS ? MAX_BACKOFF_MS.frequent : Math.max(everyMs, MAX_BACKOFF_MS.rare);
  const pauseMs = Math.min(longest, Math.max(everyMs, 100) * 2 ** Math.min(failures, 20));
  return pauseMs * (0.5 + Math.random() / 2);
}
