import { ownerOfCall } from '../record-owners/record-owners.cross-tenant.sql';
import type { Database } from '@parley/runtime';
import * as liveCalls from './calls.sql';

/**
 * The organization in which to search for a call: the specified one. If an operator specified none, it is the call's organization; '' if there is no such call.
 */
export async function organizationOfCall(db: Database, organizationId: string, callId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfCall(db, callId)) ?? '');
}

/** Whether an agent has calls that are due, being dialed or live. The agents service checks this before it deletes an agent. */
export function hasLiveCalls(db: Pick<Database, 'query'>, organizationId: string, agentId: string): Promise<boolean> {
  return liveCalls.hasLiveCalls(db, organizationId, agentId);
}
