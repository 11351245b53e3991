import type { Database } from '@parley/runtime';
import * as liveCalls from './live-calls.sql';

/** Whether an agent has calls that are due, dialled or talking: agents asks before it deletes one. */
export function hasLiveCalls(db: Pick<Database, 'query'>, organizationId: string, agentId: string): Promise<boolean> {
  return liveCalls.hasLiveCalls(db, organizationId, agentId);
}
