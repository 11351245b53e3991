import type { AuditEntry as AuditRecord } from '@parley/contract';
import type { AuditEntry } from '@parley/proto/auth';
import { jsonOf } from '@parley/runtime';
import { orNull } from './absent';

export const auditRecord = (entry: AuditEntry): AuditRecord => ({
  audit_id: entry.auditId,
  organization_id: orNull(entry.organizationId),
  actor_key_id: orNull(entry.actorKeyId),
  action: entry.action,
  subject: entry.subject,
  detail: entry.detail === undefined || entry.detail.json.length === 0 ? {} : jsonOf(entry.detail),
  created_at: entry.createdAt,
});
