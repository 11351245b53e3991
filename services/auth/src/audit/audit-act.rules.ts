import type { AuditEntry } from '@parley/contract';
import { orNull } from '../or-null.rules';

/** An act of the audit log: who did what to which thing. `detail` never holds a secret. */
export interface AuditRecord {
  readonly auditId: string;
  readonly organizationId: string;
  /** Empty if a command acted. */
  readonly actorKeyId: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Of the client that asked for it; empty where it is not known, as is `userAgent`. */
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly createdAt: string;
}

export const auditEntryView = (entry: AuditRecord): AuditEntry => ({
  audit_id: entry.auditId,
  organization_id: orNull(entry.organizationId),
  actor_key_id: orNull(entry.actorKeyId),
  action: entry.action,
  subject: entry.subject,
  detail: { ...entry.detail },
  client_address: orNull(entry.clientAddress),
  user_agent: orNull(entry.userAgent),
  created_at: entry.createdAt,
});
