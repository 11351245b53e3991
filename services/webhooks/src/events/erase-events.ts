import type { Database } from '@parley/runtime';
import { eraseAttempts, eraseEventsOf, eraseDeadLetters, type ErasedResource } from './erase-events.sql';

/**
 * Erases the data of some resources in the event log, deliveries and attempts, in one transaction. Waiting deliveries are still sent, but the event has no
 * data.
 * @returns how many events each resource has in the log, in the order of `resources`
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
