import type { Queryable } from '@parley/runtime';
import type { AuditAct, AuditRecord } from '../domain/records';
import { timeText, type PageBefore } from './rows';

interface AuditRow {
  readonly audit_id: string;
  readonly organization_id: string;
  readonly actor_key_id: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: Record<string, unknown>;
  readonly created_at: Date;
}

const recordOf = (row: AuditRow): AuditRecord => ({
  auditId: row.audit_id,
  organizationId: row.organization_id,
  actorKeyId: row.actor_key_id,
  action: row.action,
  subject: row.subject,
  detail: row.detail,
  createdAt: timeText(row.created_at),
});

/**
 * Keeps an act, in the transaction of the act itself. An act that is already there stays as it is, so that a
 * redelivered one changes nothing. `actedAt` empty: now.
 */
export async function appendAudit(tx: Queryable, act: AuditAct, actedAt = ''): Promise<void> {
  await tx.query({
    name: 'append-audit',
    text: `insert into audit_log (organization_id, audit_id, actor_key_id, action, subject, detail, created_at)
           values ($1, $2, $3, $4, $5, $6, coalesce(nullif($7, '')::timestamptz, now()))
           on conflict (audit_id) do nothing`,
    values: [
      act.organizationId,
      act.auditId,
      act.actorKeyId,
      act.action,
      act.subject,
      JSON.stringify(act.detail),
      actedAt,
    ],
  });
}

export async function listAudit(db: Queryable, organizationId: string, page: PageBefore): Promise<AuditRecord[]> {
  const { rows } = await db.query<AuditRow>({
    name: 'list-audit',
    text: `select audit_id, organization_id, actor_key_id, action, subject, detail, created_at from audit_log
           where organization_id = $1 and (created_at, audit_id) < ($2::timestamptz, $3)
           order by created_at desc, audit_id desc limit $4::integer + 1`,
    values: [organizationId, page.createdBefore, page.idBefore, page.limit],
  });
  return rows.map(recordOf);
}
