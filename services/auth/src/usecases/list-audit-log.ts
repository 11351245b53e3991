import type { Database } from '@parley/runtime';
import { listAudit as find } from '../db/audit';
import { pageRequest, type PageMessage, type PageOf } from '../db/page';
import type { AuditRecord } from '../domain/records';

/** A page of an organization's audit log, newest first. BadRequestError for a limit out of range or a foreign cursor. */
export const listAuditLog = (
  db: Database,
  organizationId: string,
  page: PageMessage | undefined,
): Promise<PageOf<AuditRecord>> => find(db, organizationId, pageRequest(page));
