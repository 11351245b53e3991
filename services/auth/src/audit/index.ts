/** The audit log: who did what to which record. */
export type { AuditRecord } from './audit-act.rules';
export { appendAudit, appendAudits, insertAudits } from './audit.sql';
export { knownActs } from './audit.cross-tenant.sql';
export { auditPruner, listAuditLog } from './list-audit-log';
