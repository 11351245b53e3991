import { ownerOfCall } from '../record-owners';
import type { Database } from '@parley/runtime';
import * as liveCalls from './calls.sql';

/** The organization to search for a call: the one named, or for an operator who named none the call's own; '' for none. */
export async function organizationOfCall(db: Database, organizationId: string, callId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfCall(db, callId)) ?? '');
}

/** Whether an agent has calls that are due, being dialled or live: the agents service checks this before it deletes one. */
export function hasLiveCalls(db: Pick<Database, 'query'>, organizationId: string, agentId: string): Promise<boolean> {
  return liveCalls.hasLiveCalls(db, organizationId, agentId);
}
