/**
 * Stops everything in order after SIGINT, SIGTERM or SIGHUP. A second signal stops it immediately, unless it follows so soon that it is a duplicate of the
 * first.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** npm and the terminal may both deliver the same signal: a second one within this time is considered a duplicate. */
const echoMs = 1_000;

export interface Stoppable {
  stop(): Promise<void>;
  kill(): void;
}

/** With PARLEY_STOP_WITH_PARENT the platform stops when its parent process has ended, so that tests that are killed leave no platform behind. */
export function stopWithParent(env: NodeJS.ProcessEnv = process.env): void {
  if (!env.PARLEY_STOP_WITH_PARENT) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 1_000).unref();
}

/** Returns a promise that resolves with the exit code after a signal, when everything was stopped. */
export function stopOnSignal(target: Stoppable): Promise<number> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (): void => {
      if (first === undefined) {
        first = performance.now();
        process.stdout.write('stopping\n');
        target.stop().then(
          () => resolve(0),
          () => resolve(1),
        );
      } else if (performance.now() - first > echoMs) {
        target.kill();
        sleep(500).then(
          () => process.exit(1),
          () => process.exit(1),
        );
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
}
