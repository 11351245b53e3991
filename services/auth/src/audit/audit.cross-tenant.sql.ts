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

/**
 * Deletes at most `most` entries of all organizations that are older than this many days, at least 365.
 * @returns how many entries were deleted
 */
export async function expireAudit(db: Queryable, days: number, most: number): Promise<number> {
  const { rows } = await db.query<{ deleted: number }>({
    name: 'audit-expire',
    text: 'select expire_audit($1, $2) as deleted',
    values: [days, most],
  });
  return rows[0]?.deleted ?? 0;
}
