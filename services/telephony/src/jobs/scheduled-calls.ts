import { poller, type Background, type Logger } from '@parley/runtime';
import { takeDue } from '../db/jobs/due-calls';
import { judgeScheduled, judgingSeconds } from '../usecases/judge-scheduled';
import type { Telephony } from '../usecases/telephony';
import { heldWork } from './held-work';

/** Calls that a process judges at the same time. */
const together = 8;
/** Rounds in one run, so that a stop never waits long. */
const batch = 50;

/**
 * Queues booked calls when they are due. Every replica has one; row locks share the calls out. Nothing is judged in a maintenance window, or while nobody
 * can say whether there is one.
 */
export function createScheduledCalls(telephony: Telephony, log: Logger): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    if ((await heldWork(telephony.controls)) === undefined) return;
    for (let round = 0; round < batch && !signal.aborted; round += 1) {
      const due = await takeDue(telephony.db, together, judgingSeconds);
      if (due.length === 0) return;
      await Promise.all(due.map((call) => judgeScheduled(telephony, call, log)));
    }
  };
  return poller({ name: 'scheduled-calls', everyMs: 250, run, log });
}
