import type { Queryable } from '@parley/runtime';

/** The organization that a record belongs to, for an operator who named none: no statement here names an organization; whatever follows them does. */
export async function ownerOfCall(db: Queryable, callId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'call-owner',
    text: 'select organization_id from calls where call_id = $1',
    values: [callId],
  });
  return rows[0]?.organization_id;
}
