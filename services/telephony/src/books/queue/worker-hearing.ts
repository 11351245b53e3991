import type { Clock, Database, Logger } from '@parley/runtime';
import { noteHeard } from './lease-watch.cross-tenant.sql';
import { leaseTimesOf } from './lease-times.rules';

export interface WorkerHearingOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly leaseSeconds: number;
}

/** Records in the database that requests of workers arrive: immediately, but with one write at a time and at most one per second. */
export class WorkerHearing {
  private notedMs = Number.NEGATIVE_INFINITY;
  private writing = false;

  constructor(private readonly options: WorkerHearingOptions) {}

  /** Must be called for each authorized request of a worker. Never throws; not awaited. */
  heard(): void {
    const { db, clock, log, leaseSeconds } = this.options;
    const times = leaseTimesOf(leaseSeconds);
    const now = clock.monotonicMs();
    if (this.writing || now - this.notedMs < times.everyMs) return;
    this.writing = true;
    noteHeard(db, times, times.everyMs / 2)
      .then(
        () => (this.notedMs = now),
        (error: unknown) => log.warn({ err: error }, 'the time of the last worker request could not be recorded'),
      )
      .finally(() => (this.writing = false))
      .catch(() => undefined);
  }
}
