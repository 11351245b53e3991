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

/** What a background task of this process has failed at so far, for the metrics `parley_background_task_*`. */
export interface TaskFailures {
  /** Failed runs since the process started. */
  total: number;
  /** When the first of the last, uninterrupted failures happened, in milliseconds of the monotonic clock; undefined after a run without an error. */
  failingSinceMs: number | undefined;
}

export const taskFailures = new Map<string, TaskFailures>();

/** Maximum pause after failures. Frequent tasks should continue soon after an outage; others may pause longer. */
const MAX_BACKOFF_MS = { frequent: 2_000, rare: 30_000 } as const;
const FREQUENT_MS = 1_000;
/** The pause from which on tasks that run rarely double theirs, so that they do not wait an hour after a short outage. */
const FIRST_BACKOFF_MS = 15_000;

/**
 * Repeats `run`, never twice at the same time. It continues after errors: the pause doubles, from at most 30 s, up to the normal pause but at least 30 s, or up
 * to 2 s for tasks that normally run at least every second. It stops promptly.
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
    const noted = failuresOf(name);
    while (!signal.aborted) {
      woken = false;
      const started = clock.monotonicMs();
      try {
        await run(signal);
        failures = 0;
        noted.failingSinceMs = undefined;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        noted.total += 1;
        noted.failingSinceMs ??= clock.monotonicMs();
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

function failuresOf(name: string): TaskFailures {
  const noted = taskFailures.get(name) ?? { total: 0, failingSinceMs: undefined };
  taskFailures.set(name, noted);
  return noted;
}

function backoff(everyMs: number, failures: number): number {
  const longest = everyMs <= FREQUENT_MS ? MAX_BACKOFF_MS.frequent : Math.max(everyMs, MAX_BACKOFF_MS.rare);
  const first = Math.min(Math.max(everyMs, 100), FIRST_BACKOFF_MS);
  const pauseMs = Math.min(longest, first * 2 ** Math.min(failures, 20));
  return pauseMs * (0.5 + Math.random() / 2);
}
