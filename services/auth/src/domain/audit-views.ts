import type { AuditEntry } from '@parley/contract';
import { orNull } from './or-null';
import type { AuditRecord } from './records';

export const auditEntryView = (entry: AuditRecord): AuditEntry => ({
  audit_id: entry.auditId,
  organization_id: orNull(entry.organizationId),
  actor_key_id: orNull(entry.actorKeyId),
  action: entry.action,
  subject: entry.subject,
  detail: { ...entry.detail },
  created_at: entry.createdAt,
});
