import type { Database } from '@parley/runtime';
import type { AuditPayload } from '@parley/service';

/** The audit events of an organization, published or pending, in their order; all actions, or only one. */
export async function auditOf(db: Database, organizationId: string, action?: string): Promise<AuditPayload[]> {
  const { rows } = await db.query<{ payload: string }>({
    text: 'select payload from outbox where subject = $1 order by position',
    values: [`audit.v1.${organizationId}`],
  });
  const acts = rows.map(({ payload }) => JSON.parse(payload) as AuditPayload);
  return acts.filter((act) => action === undefined || act.action === action);
}
