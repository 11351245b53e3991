import type { Database } from '@parley/runtime';
import { eraseAttempts, eraseEventsOf, eraseDeadLetters, type ErasedResource } from './erase-events.sql';

/**
 * Erases what the log, deliveries and attempts hold of some resources, in one transaction. A delivery that still waits is sent with what is left: the
 * event without its data.
 * @returns how many events each resource has in the log, in their order
 */
export function eraseEvents(
  db: Database,
  organizationId: string,
  resources: readonly ErasedResource[],
): Promise<number[]> {
  return db.transaction(async (tx) => {
    const events = await eraseEventsOf(tx, organizationId, resources);
    const eventIds = events.map(({ id }) => id);
    await eraseAttempts(tx, organizationId, eventIds);
    await eraseDeadLetters(
      tx,
      organizationId,
      resources.map(({ resourceId }) => resourceId),
    );
    return resources.map(
      ({ resourceId }) => events.filter(({ resource_id: ofResource }) => ofResource === resourceId).length,
    );
  });
}
