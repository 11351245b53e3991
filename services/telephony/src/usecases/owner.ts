import type { Database } from '@parley/runtime';
import { ownerOfCall, ownerOfNumber } from '../db/owners';

/** The organization to look a call up in: the one named, else (an operator who named none) the call's own; '' for none. */
export async function organizationOfCall(db: Database, organizationId: string, callId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfCall(db, callId)) ?? '');
}

/** As `organizationOfCall`, for a number. */
export async function organizationOfNumber(db: Database, organizationId: string, numberId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfNumber(db, numberId)) ?? '');
}
