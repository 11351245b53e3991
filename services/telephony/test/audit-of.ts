import type { Database } from '@parley/runtime';
import type { AuditPayload } from '@parley/service';

/** The acts of an organization that wait for the audit log or were published, in their order; of one kind or all. */
export async function auditOf(db: Database, organizationId: string, action?: string): Promise<AuditPayload[]> {
  const { rows } = await db.query<{ payload: string }>({
    text: 'select payload from outbox where subject = $1 order by position',
    values: [`audit.v1.${organizationId}`],
  });
  const acts = rows.map(({ payload }) => JSON.parse(payload) as AuditPayload);
  return acts.filter((act) => action === undefined || act.action === action);
}
