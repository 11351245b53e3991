import type { Database } from '@parley/runtime';
import { ownerOfNumber } from './number-owner.cross-tenant.sql';

/** The organization to look a number up in: the one named, else (an operator who named none) the record's own; '' for none. */
export async function organizationOfNumber(db: Database, organizationId: string, numberId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfNumber(db, numberId)) ?? '');
}
