import { poller, type Background, type Clock, type Logger, type Registry } from '@parley/runtime';
import { Counter, Gauge } from 'prom-client';
import { leaseTimesOf } from './lease-times.rules';
import { probeLeases, type LeaseTimes } from './lease-watch.cross-tenant.sql';
import { ReaperGate } from './reaper-gate.rules';
import { reapExpired, UnreapableJob, type Reaped } from './reap-expired';
import type { Telephony } from '../../telephony';

export interface ReaperOptions {
  readonly telephony: Pick<Telephony, 'db' | 'controls' | 'settings' | 'onCommit' | 'linesDue'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Registry;
  /** Calls that may be ended per minute regardless of the number of leases. */
  readonly atLeast: number;
}

/** Maximum of leases reaped per run, so that the process can stop soon. */
const batch = 200;

/**
 * Takes expired leases from their workers as long as requests of workers arrive at all. It starts once this process has been able to receive heartbeats for the
 * duration of a lease (ADR 43). Runs every second, or four times per lease if that is shorter.
 */
export function createReaper(options: ReaperOptions): Background {
  const { telephony, clock, log } = options;
  const times = leaseTimesOf(telephony.settings.leaseSeconds);
  const { leaseMs, everyMs } = times;
  const gate = new ReaperGate(leaseMs, Math.max(3 * everyMs, 250));
  const meters = reaperMetrics(options.metrics);
  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      const { databaseMs, expired, heard } = await probeLeases(telephony.db, times);
      const trusted = telephony.controls.trusted();
      const open = gate.probed({ atMs: clock.monotonicMs(), databaseMs, trusted });
      meters.open.set(open && heard ? 1 : 0);
      if (open && expired) await reapAll(options, times, meters, signal);
    } catch (error) {
      // Not rethrown, because after an error the poller would slow down, and expired leases must be handled quickly.
      gate.failed();
      meters.open.set(0);
      log.warn({ err: error }, 'expired leases cannot be read');
    }
  };
  return poller({ name: 'reaper', everyMs, run, log, clock });
}

type ReaperMetrics = ReturnType<typeof reaperMetrics>;

function reaperMetrics(registry: Registry) {
  const registers = [registry];
  return {
    open: new Gauge({
      name: 'parley_reaper_open',
      help: 'Whether this process takes back expired leases of workers: 0 while it cannot know that a silent worker is dead',
      registers,
    }),
    reaped: new Counter({
      name: 'parley_reaped_leases_total',
      help: 'Expired leases that this process took back',
      registers,
    }),
    deferred: new Counter({
      name: 'parley_reaps_deferred_total',
      help: 'Runs of the reaper that deferred expired leases because it had ended the calls of a tenth of the leases of those workers within a minute',
      registers,
    }),
  };
}

async function reapAll(
  { telephony, log, atLeast }: ReaperOptions,
  times: LeaseTimes,
  meters: ReaperMetrics,
  signal: AbortSignal,
): Promise<void> {
  const stuck: string[] = [];
  for (let count = 0; count < batch && !signal.aborted; count += 1) {
    try {
      const reaped: Reaped = await reapExpired(telephony, { times, atLeast, except: stuck });
      if (reaped === 'deferred') meters.deferred.inc();
      if (reaped === 'deferred' || reaped === 'nothing') return;
      meters.reaped.inc();
      log.warn({ reaped }, 'a worker lost its job');
    } catch (error) {
      if (!(error instanceof UnreapableJob)) throw error;
      log.error({ err: error, job_id: error.jobId }, 'a lease could not be taken away');
      stuck.push(error.jobId);
    }
  }
}
