import { poller, type Background, type Clock, type Logger } from '@parley/runtime';
import { ReaperGate } from '../domain/reaper-gate';
import { reapExpired, UnreapableJob } from '../usecases/reap-expired';
import type { Telephony } from '../usecases/telephony';

export interface ReaperOptions {
  readonly telephony: Telephony;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Leases taken away in one run, so that a stop never waits long. */
const batch = 200;

/**
 * Takes expired leases away, from the moment on when this process could have taken heartbeats for a whole lease. Looks
 * every second, or four times a lease where that is shorter.
 */
export function createReaper({ telephony, clock, log }: ReaperOptions): Background {
  const leaseMs = telephony.settings.leaseSeconds * 1000;
  const everyMs = Math.min(1000, leaseMs / 4);
  const gate = new ReaperGate(leaseMs, Math.max(3 * everyMs, 250));
  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      await telephony.db.query({ name: 'reaper-probe', text: 'select 1' });
      if (gate.succeeded(clock.monotonicMs())) await reapAll(telephony, log, signal);
    } catch (error) {
      // The poller would slow down after an error; leases wait for nobody.
      gate.failed();
      log.warn({ err: error }, 'expired leases cannot be looked at');
    }
  };
  return poller({ name: 'reaper', everyMs, run, log, clock });
}

async function reapAll(telephony: Telephony, log: Logger, signal: AbortSignal): Promise<void> {
  const stuck: string[] = [];
  for (let count = 0; count < batch && !signal.aborted; count += 1) {
    try {
      const reaped = await reapExpired(telephony, stuck);
      if (reaped === undefined) return;
      log.warn({ reaped }, 'a worker lost its job');
    } catch (error) {
      if (!(error instanceof UnreapableJob)) throw error;
      log.error({ err: error, job_id: error.jobId }, 'a lease could not be taken away');
      stuck.push(error.jobId);
    }
  }
}
