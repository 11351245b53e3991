import { poller, type Background, type Clock, type Logger } from '@parley/runtime';
import { failUnadopted } from './fail-unadopted';
import type { Telephony } from '../telephony';

export interface UnadoptedCallsOptions {
  readonly telephony: Telephony;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Calls failed in one run, so that a stop never waits long. */
const batch = 200;

/** Fails test calls that no one connected to while their token lasted. */
export function createUnadoptedCalls({ telephony, clock, log }: UnadoptedCallsOptions): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    for (let count = 0; count < batch && !signal.aborted; count += 1) {
      if (!(await failUnadopted(telephony))) return;
      log.info('a test call has failed: no one connected to it');
    }
  };
  return poller({ name: 'unadopted-calls', everyMs: 1_000, run, log, clock });
}
