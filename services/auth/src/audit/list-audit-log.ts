import type { ListQuery } from '@parley/contract';
import { type Database, poller, type Background, type Logger } from '@parley/runtime';
import { listAudit as find } from './audit.sql';
import { auditEntryView } from './audit-act.rules';
import { newestFirst } from '../newest-first';
import { expireAudit } from './audit.cross-tenant.sql';

/** A page of an organization's audit log, newest first. @throws AppError BadRequestError for a cursor that the platform did not issue */
export const listAuditLog = (db: Database, organizationId: string, query: ListQuery): Promise<string> =>
  newestFirst(
    query,
    (page) => find(db, organizationId, page),
    auditEntryView,
    ({ auditId }) => auditId,
  );

const everyMs = 3_600_000;
const batch = 1_000;

/**
 * Deletes entries of the audit log after this many days, at least 365: entries contain addresses of clients and names of people, so they are not kept for
 * longer than they are needed as evidence.
 */
export function auditPruner({ db, log, days }: { db: Database; log: Logger; days: number }): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    for (let deleted = batch; deleted === batch && !signal.aborted;) deleted = await expireAudit(db, days, batch);
  };
  return poller({ name: 'audit-pruner', everyMs, log, run });
}
