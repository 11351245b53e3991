import type { ListQuery } from '@parley/contract';
import type { Database } from '@parley/runtime';
import { listAudit as find } from './audit.sql';
import { auditEntryView } from './audit-act.rules';
import { newestFirst } from '../newest-first';

/** A page of an organization's audit log, newest first. @throws AppError BadRequestError for a cursor that the platform did not issue */
export const listAuditLog = (db: Database, organizationId: string, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, organizationId, page),
    auditEntryView,
    ({ auditId }) => auditId,
  );
