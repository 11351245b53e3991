/** The audit log: who did what to which record. */
export type { AuditRecord } from './audit-act.rules';
export { appendAudit, appendAudits, insertAudits } from './audit.sql';
export { auditPruner } from './audit-pruner';
export { knownActs } from './audit.cross-tenant.sql';
export { listAuditLog } from './list-audit-log';
