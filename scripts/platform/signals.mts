/** SIGINT, SIGTERM and SIGHUP end everything in order; a second one, later than the echo of the first, at once. */
import { setTimeout as sleep } from 'node:timers/promises';

/** npm and the terminal may both deliver the same signal: what follows within this time is its echo. */
const echoMs = 1_000;

export interface Stoppable {
  stop(): Promise<void>;
  kill(): void;
}

/** Tests that are killed leave no platform behind: with PARLEY_STOP_WITH_PARENT it stops when its parent is gone. */
export function stopWithParent(env: NodeJS.ProcessEnv = process.env): void {
  if (!env.PARLEY_STOP_WITH_PARENT) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 1_000).unref();
}

/** Returns a promise that resolves, with the exit code, when all is stopped after a signal. */
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
