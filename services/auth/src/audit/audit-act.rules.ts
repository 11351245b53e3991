import type { AuditEntry } from '@parley/contract';
import { orNull } from '../rows.rules';

/** An entry of the audit log: who did what to which record. `detail` never contains a secret. */
export interface AuditRecord {
  readonly auditId: string;
  readonly organizationId: string;
  /** Empty if the action was started by a command and not by a request. */
  readonly actorKeyId: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** The address of the client that sent the request. Empty if unknown, as is `userAgent`. */
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
