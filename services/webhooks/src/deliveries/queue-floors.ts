import { DueFloor, type Clock, type Database } from '@parley/runtime';
import { firstDue } from './due-deliveries.cross-tenant.sql';

/** Maximum of queues whose floor is remembered; with more, all start from the beginning again. */
const most = 10_000;

/**
 * A pass reads the queues many times a second, so it starts close to the present. A delivery that was committed later than 250 ms after it was due is
 * found by the next query for the floor, two seconds later at most.
 */
const options = { lookEveryMs: 2_000, nearMs: 250 } as const;

/** Where the scan of each queue starts. Floors are also kept for queues that this replica released, because it may lease them again. */
export class QueueFloors {
  private readonly floors = new Map<string, DueFloor>();

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  of(endpointId: string): string {
    return this.floors.get(endpointId)?.value ?? '-infinity';
  }

  /** Where frequent scans start. */
  near(endpointId: string): string {
    return this.floors.get(endpointId)?.near ?? '-infinity';
  }

  /**
   * Raises the floor of frequent scans after one of them.
   * @param firstMs the due time of the first delivery that is not finished, in milliseconds since 1970
   */
  passed(endpointId: string, databaseMs: number, firstMs: number): void {
    this.floors.get(endpointId)?.raise(databaseMs, firstMs);
  }

  /** Lets the next scan of these queues start at `of`, because a delivery that frequent scans may miss is due. */
  lower(endpointIds: readonly string[]): void {
    for (const id of endpointIds) this.floors.get(id)?.lower();
  }

  /** Raises the floors of queues that were not queried for a while. */
  async raise(endpointIds: readonly string[]): Promise<void> {
    const stale = endpointIds.filter((id) => this.get(id).wantsLook());
    if (stale.length === 0) return;
    const before = stale.map((id) => this.of(id));
    for (const { endpoint_id, first_ms, database_ms } of await firstDue(this.db, stale, before)) {
      this.get(endpoint_id).looked(database_ms, first_ms);
    }
  }

  private get(endpointId: string): DueFloor {
    let floor = this.floors.get(endpointId);
    if (floor === undefined) {
      if (this.floors.size >= most) this.floors.clear();
      floor = new DueFloor(this.clock, options);
      this.floors.set(endpointId, floor);
    }
    return floor;
  }
}
