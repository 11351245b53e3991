import { DueFloor, type Clock, type Database } from '@parley/runtime';
import type { HealthState } from './endpoint-health.rules';
import { firstQueues } from './endpoint-leases.cross-tenant.sql';

/**
 * Replicas look for queues several times a second, so they start close to the present. A queue becomes due at the start of the transaction that makes it due.
 * One that was committed later than a second after that, or whose lease expired, is found by the next query for the floors, two seconds later at most.
 */
const options = { lookEveryMs: 2_000, nearMs: 1_000 } as const;

/** Where the scans for queues with due deliveries start, by health. */
export class DueQueueFloors {
  private readonly floors: Readonly<Record<HealthState, DueFloor>>;

  constructor(
    private readonly db: Database,
    clock: Clock,
  ) {
    const floor = (): DueFloor => new DueFloor(clock, options);
    this.floors = { healthy: floor(), unproven: floor(), failing: floor() };
  }

  /** No queue is due before this time, as text of a timestamptz. */
  get value(): string {
    return this.floors.healthy.value;
  }

  /** Where the scans for queues to lease start. */
  near(): Record<HealthState, string> {
    const { healthy, unproven, failing } = this.floors;
    return { healthy: healthy.near, unproven: unproven.near, failing: failing.near };
  }

  /**
   * Raises the floors if they were not queried for a while. `value` is the same for all health states, and not above the first leased queue: while a queue is
   * leased, its health can change, and its lease can expire, without a change of the time since which it is due.
   */
  async raise(): Promise<void> {
    const wanted = Object.values(this.floors).map((floor) => floor.wantsLook());
    if (!wanted.includes(true)) return;
    const found = await firstQueues(this.db, this.value);
    const dueMs = found.flatMap(({ first_ms: firstMs }) => firstMs ?? []);
    const first = dueMs.length === 0 ? null : Math.min(...dueMs);
    for (const { health, first_free_ms: firstFreeMs, database_ms: databaseMs } of found) {
      this.floors[health].looked(databaseMs, first);
      this.floors[health].raise(databaseMs, firstFreeMs);
    }
  }
}
