import { DueFloor, type Clock, type Database } from '@parley/runtime';
import { readWaitingSince, type Floors } from './claim.cross-tenant.sql';

/** A queue whose job has waited this long gets a separate floor. This is half of the lag of the common floor. */
const longSeconds = 90;

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
    this.common = new DueFloor(clock);
  }

  /** Returns the floors, after reading them again if they are outdated. */
  async current(): Promise<Floors> {
    if (this.common.wantsLook()) {
      const { databaseMs, queues } = await readWaitingSince(this.db, this.floors(), longSeconds, most);
      const known = queues.length < most;
      this.common.looked(known ? databaseMs : -Infinity, null);
      this.own = {
        organizationIds: known ? queues.map(({ organizationId }) => organizationId) : [],
        times: known ? queues.map(({ firstMs }) => new Date(Math.floor(firstMs)).toISOString()) : [],
      };
    }
    return this.floors();
  }

  private floors(): Floors {
    const rest = this.common.value;
    // The common floor is the beginning again, so no queue needs a separate one.
    return rest === '-infinity' ? { organizationIds: [], times: [], rest } : { ...this.own, rest };
  }
}
