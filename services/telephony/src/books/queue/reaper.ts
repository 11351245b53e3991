import { Counter, Gauge } from 'prom-client';
import { poller, type Background, type Clock, type Logger, type Registry, type Queryable } from '@parley/runtime';
import type { Telephony } from '../../telephony';
import type { Call } from '../calls/call.rules';
import type { CallTrigger, TriggerFacts } from '../calls/call-transitions.rules';
import { endCall } from '../calls/end-call';
import { loseWorker } from '../calls/hand-over';
import { leaseTimesOf } from './lease-times.rules';
import { probeLeases, type LeaseTimes, countReap, readReapState, takeReaping } from './lease-watch.cross-tenant.sql';
import { ReaperGate, reapsLeft } from './reaper-gate.rules';
import { lockCallOf } from './held-job';
import type { LockedJob } from './job.rules';
import { lockExpired } from './leases.cross-tenant.sql';
import { returnToQueue } from './release-job';

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

/** `nothing`: there is no lease to reap, or another replica is reaping; `deferred`: reaping would end a call, but this minute's limit is reached. */
type Reaped = 'put_back' | 'handed_over' | 'finished' | 'nothing' | 'deferred';

interface ReapOptions {
  readonly times: LeaseTimes;
  /** Calls of one set of workers that may be ended per minute regardless of its number of leases. */
  readonly atLeast: number;
  /** Jobs to skip, because they could not be reaped before. */
  readonly except: readonly string[];
}

/** Reaping a job failed. The other jobs must not wait for it. */
class UnreapableJob extends Error {
  constructor(
    readonly jobId: string,
    cause: unknown,
  ) {
    super(`job ${jobId} could not be taken away from its worker`, { cause });
    this.name = 'UnreapableJob';
  }
}

/**
 * Takes one expired lease from its worker. Before the permit, the job returns to its queue. After it, someone's phone may already have rung: the call is
 * finished with the known facts, and its number is not dialed again. All conditions are checked within the transaction by the database's clock: whether
 * requests of workers arrive at all, and how many calls all replicas together may still end in this minute. That limit applies separately to the hosted workers
 * and to each organization's own workers, so that none uses up the limit of others. A job that returns to its queue ends no call and is not counted.
 * @throws UnreapableJob
 */
async function reapExpired(
  telephony: Pick<Telephony, 'db' | 'onCommit' | 'linesDue'>,
  { times, atLeast, except }: ReapOptions,
): Promise<Reaped> {
  const reaped = await telephony.db.transaction(async (tx): Promise<Reaped> => {
    if (!(await takeReaping(tx, times.leaseMs / 3))) return 'nothing';
    const { heard, counts } = await readReapState(tx, times);
    const bounded = counts.filter((count) => reapsLeft({ ...count, atLeast }) === 0).map(({ workersOf }) => workersOf);
    const job = await lockExpired(tx, { except, heard, bounded });
    if (job === undefined) {
      return bounded.length === 0 || !(await lockExpired(tx, { except, heard, bounded: [] })) ? 'nothing' : 'deferred';
    }
    const taken = await takeAway(tx, job).catch((error: unknown) => {
      throw new UnreapableJob(job.jobId, error);
    });
    if (taken === 'finished') await countReap(tx, job.workersOf);
    return taken;
  });
  if (reaped === 'handed_over') telephony.linesDue();
  if (reaped === 'put_back' || reaped === 'finished') telephony.onCommit(reaped === 'put_back');
  return reaped;
}

async function takeAway(tx: Queryable, job: LockedJob): Promise<'put_back' | 'handed_over' | 'finished'> {
  const held = await lockCallOf(tx, job);
  const { call, now } = held;
  if (!job.permitted && call.status === 'queued') {
    await returnToQueue(tx, job);
    return 'put_back';
  }
  if ((await loseWorker(tx, job, true)) === 'lost') return 'handed_over';
  await endCall(tx, held, lastMoves(call, job.cancelRequested, now));
  return 'finished';
}

function lastMoves(call: Call, cancelRequested: boolean, at: Date): [CallTrigger, TriggerFacts][] {
  const lost: TriggerFacts = { at, endedReason: 'worker_lost' };
  if (call.status === 'dialing' && cancelRequested) {
    return [['cancel', { at, endedReason: 'canceled', reasonDetail: 'worker_lost' }]];
  }
  return [
    [call.status === 'dialing' ? 'fail' : 'end', lost],
    ['complete', { at }],
  ];
}
