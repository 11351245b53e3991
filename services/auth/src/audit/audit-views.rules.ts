import type { AuditEntry } from '@parley/contract';
import { orNull } from '../or-null.rules';
import type { AuditRecord } from './audit-act.rules';

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
