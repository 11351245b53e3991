import { DueFloor, type Clock, type Database } from '@parley/runtime';
import { readWaitingSince, type Floors } from './claim.cross-tenant.sql';

/** A job that has waited for this long gives its queue a floor of its own; half of how far the common one stays behind. */
const longSeconds = 90;

/** Queues with a floor of their own; where more have old jobs, looks begin at the beginning. */
const most = 1_000;

/** Where claims begin to look at each queue (`DueFloor`). A queue whose jobs wait for long has a floor of its own, so that it holds no other one back. */
export class WaitingFloors {
  private readonly common: DueFloor;
  private own: Omit<Floors, 'rest'> = { organizationIds: [], times: [] };

  constructor(
    private readonly db: Database,
    clock: Clock,
  ) {
    this.common = new DueFloor(clock);
  }

  /** Looks again, if that is due. */
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
    // At the beginning again: so is every queue.
    return rest === '-infinity' ? { organizationIds: [], times: [], rest } : { ...this.own, rest };
  }
}
