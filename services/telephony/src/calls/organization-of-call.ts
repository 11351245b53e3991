import type { Database } from '@parley/runtime';
import { ownerOfCall } from './call-owner.cross-tenant.sql';

/** The organization to look a call up in: the one named, else (an operator who named none) the record's own; '' for none. */
export async function organizationOfCall(db: Database, organizationId: string, callId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfCall(db, callId)) ?? '');
}
