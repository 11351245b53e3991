import type { Queryable } from '@parley/runtime';
import { auditRecord, type AuditAct, type AuditActor } from '@parley/service';
import type { AuditRecord } from './audit-act.rules';
import { timeText, type PageBefore } from '../rows.rules';

interface AuditRow {
  readonly audit_id: string;
  readonly organization_id: string;
  readonly actor_key_id: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: Record<string, unknown>;
  readonly client_address: string;
  readonly user_agent: string;
  readonly created_at: Date;
}

const recordOf = (row: AuditRow): AuditRecord => ({
  auditId: row.audit_id,
  organizationId: row.organization_id,
  actorKeyId: row.actor_key_id,
  action: row.action,
  subject: row.subject,
  detail: row.detail,
  clientAddress: row.client_address,
  userAgent: row.user_agent,
  createdAt: timeText(row.created_at),
});

/** Stores an audit entry in the transaction of the action itself. */
export const appendAudit = (tx: Queryable, act: AuditAct, actor: AuditActor): Promise<void> =>
  appendAudits(tx, [act], actor);

/** Stores the audit entries of several actions of one actor, as `appendAudit` does. The actions may concern different organizations. */
export const appendAudits = (tx: Queryable, acts: readonly AuditAct[], actor: AuditActor): Promise<void> =>
  insertAudits(
    tx,
    acts.map((act) => ({ ...auditRecord(act, actor), createdAt: '' })),
  );

/** Inserts audit entries with one statement. Idempotent: an existing entry is not changed, so redelivery has no effect. An empty `createdAt` means now. */
export async function insertAudits(tx: Queryable, acts: readonly AuditRecord[]): Promise<void> {
  await tx.query({
    name: 'append-audit',
    text: `insert into audit_log (organization_id, audit_id, actor_key_id, action, subject, detail, client_address, user_agent, created_at)
           select organization_id, audit_id, actor_key_id, action, subject, detail, client_address, user_agent,
             coalesce(nullif(created_at, '')::timestamptz, now())
           from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::text[], $8::text[], $9::text[])
             as act (organization_id, audit_id, actor_key_id, action, subject, detail, client_address, user_agent, created_at)
           on conflict (audit_id) do nothing`,
    values: [
      acts.map((act) => act.organizationId),
      acts.map((act) => act.auditId),
      acts.map((act) => act.actorKeyId),
      acts.map((act) => act.action),
      acts.map((act) => act.subject),
      acts.map((act) => JSON.stringify(act.detail)),
      acts.map((act) => act.clientAddress),
      acts.map((act) => act.userAgent),
      acts.map((act) => act.createdAt),
    ],
  });
}

export async function listAudit(db: Queryable, organizationId: string, page: PageBefore): Promise<AuditRecord[]> {
  const { rows } = await db.query<AuditRow>({
    name: 'list-audit',
    text: `select audit_id, organization_id, actor_key_id, action, subject, detail, client_address, user_agent, created_at
           from audit_log
           where organization_id = $1 and (created_at, audit_id) < ($2::timestamptz, $3)
           order by created_at desc, audit_id desc limit $4::integer + 1`,
    values: [organizationId, page.createdBefore, page.idBefore, page.limit],
  });
  return rows.map(recordOf);
}
