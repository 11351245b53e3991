/** The audit log: who did what to which record. */
export type { AuditRecord } from './audit-act.rules';
export { appendAudit, insertAudits } from './audit.sql';
export { knownActs } from './known-acts.cross-tenant.sql';
export { listAuditLog } from './list-audit-log';
