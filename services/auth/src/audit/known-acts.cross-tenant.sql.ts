import type { Queryable } from '@parley/runtime';

/** Returns which of these audit ids the audit log contains, for any organization. */
export async function knownActs(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ audit_id: string }>({
    name: 'known-acts',
    text: 'select audit_id from audit_log where audit_id = any($1::text[])',
    values: [ids],
  });
  return rows.map(({ audit_id }) => audit_id);
}
