import { DueFloor, type Clock, type Database } from '@parley/runtime';
import { readWaitingSince, type Floors } from './claim.cross-tenant.sql';

/** A job waiting this long gives its queue its own floor; this is half of how far the common floor lags behind. */
const longSeconds = 90;

/** Maximum of queues with their own floor; if more have old jobs, scans start from the beginning. */
const most = 1_000;

/** Where claims start to scan each queue (`DueFloor`). A queue with long-waiting jobs has its own floor, so that it does not lower that of the others. */
export class WaitingFloors {
  private readonly common: DueFloor;
  private own: Omit<Floors, 'rest'> = { organizationIds: [], times: [] };

  constructor(
    private readonly db: Database,
    clock: Clock,
  ) {
    this.common = new DueFloor(clock);
  }

  /** Reads the floors again if they are outdated. */
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
    // The common floor is the beginning again, so no queue needs its own.
    return rest === '-infinity' ? { organizationIds: [], times: [], rest } : { ...this.own, rest };
  }
}
