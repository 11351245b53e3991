import type { Queryable } from '@parley/runtime';

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
