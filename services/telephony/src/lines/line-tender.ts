import { poller, type Clock, type Logger, type Poller } from '@parley/runtime';
import { noteOverLines, tendDueLine } from './tend-line';
import type { Telephony } from '../telephony';

export interface LineTenderOptions {
  readonly telephony: Telephony;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Lines that are looked after at once: each waits for its carrier. */
const atOnce = 8;

/** Looks after open lines: asks carriers for what they have not reported, and hangs up lines whose calls are over. */
export function createLineTender({ telephony, clock, log }: LineTenderOptions): Poller {
  const tendAll = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await tendDueLine(telephony, log)));
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    await noteOverLines(telephony);
    await Promise.all(Array.from({ length: atOnce }, () => tendAll(signal)));
  };
  return poller({ name: 'line-tender', everyMs: 1_000, run, log, clock });
}
