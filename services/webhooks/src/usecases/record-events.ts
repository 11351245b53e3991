import { newId, type Database } from '@parley/runtime';
import { insertDeliveries, insertEvents, matchEndpoints, wakeLanes, type NewEvent } from '../db/jobs/record-events';

/**
 * Stores events and makes a delivery of each for every endpoint of its project that is subscribed to its type, all in one
 * transaction. An event that is there already changes nothing, whatever has been subscribed since.
 * Answers the endpoints that have something due now.
 */
export async function recordEvents(db: Database, events: readonly NewEvent[]): Promise<Set<string>> {
  return db.transaction(async (tx) => {
    const fresh = await insertEvents(tx, events);
    if (fresh.length === 0) return new Set<string>();
    const matches = await matchEndpoints(tx, fresh);
    if (matches.length === 0) return new Set<string>();
    await insertDeliveries(
      tx,
      matches.map((match) => ({ ...match, id: newId('dlv') })),
    );
    const active = new Set(matches.filter(({ status }) => status === 'active').map(({ endpoint_id }) => endpoint_id));
    await wakeLanes(tx, [...active]);
    return active;
  });
}
