import { DueFloor, type Clock, type Database } from '@parley/runtime';
import { readWaitingSince, type Floors } from './claim.cross-tenant.sql';

/** A queue whose job has waited this long gets a separate floor. This is half of the lag of the common floor. */
const longSeconds = 90;

/**
 * Claims are repeated many times a second, so they start close to the present. A job that was committed later than five seconds after it was due is found by
 * the next query for the floors, five seconds later at most. Jobs are inserted at
 * most three seconds after they are due.
 */
const options = { lookEveryMs: 5_000, nearMs: 5_000 } as const;

/** Maximum of queues with a separate floor; if more have old jobs, scans start from the beginning. */
const most = 1_000;

/**
 * The floors from which claims scan each queue (`DueFloor`). A queue with jobs that have waited long has a separate floor, so that it does not lower the common
 * one.
 */
export class WaitingFloors {
  private readonly common: DueFloor;
  private own: Omit<Floors, 'rest'> = { organizationIds: [], times: [] };

  constructor(
    private readonly db: Database,
    clock: Clock,
  ) {
    this.common = new DueFloor(clock, options);
  }

  /** Returns the floors, after reading them again if they are outdated. */
  async current(): Promise<Floors> {
    if (this.common.wantsLook()) {
      const { databaseMs, queues, firstMs } = await readWaitingSince(
        this.db,
        this.floorsFrom(this.common.value),
        longSeconds,
        most,
      );
      const known = queues.length < most;
      this.common.looked(known ? databaseMs : -Infinity, firstMs);
      this.own = {
        organizationIds: known ? queues.map(({ organizationId }) => organizationId) : [],
        times: known ? queues.map(({ firstMs: ms }) => new Date(Math.floor(ms)).toISOString()) : [],
      };
    }
    return this.floorsFrom(this.common.near);
  }

  private floorsFrom(rest: string): Floors {
    // The common floor is the beginning again, so no queue needs a separate one.
    return rest === '-infinity' ? { organizationIds: [], times: [], rest } : { ...this.own, rest };
  }
}
