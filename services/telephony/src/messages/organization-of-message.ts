import type { Database } from '@parley/runtime';
import { ownerOfMessage } from './message-owner.cross-tenant.sql';

/** The organization to look a message up in: the one named, else (an operator who named none) the record's own; '' for none. */
export async function organizationOfMessage(db: Database, organizationId: string, messageId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfMessage(db, messageId)) ?? '');
}
