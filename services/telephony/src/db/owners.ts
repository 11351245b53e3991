import type { Queryable } from '@parley/runtime';

/**
 * Owner look-ups: for an operator who named no organization, the one that a record belongs to. The only statements
 * outside db/jobs/ that do not name an organization; whatever follows them does.
 */
export async function ownerOfCall(db: Queryable, callId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'call-owner',
    text: 'select organization_id from calls where call_id = $1',
    values: [callId],
  });
  return rows[0]?.organization_id;
}

export async function ownerOfNumber(db: Queryable, numberId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'number-owner',
    text: 'select organization_id from numbers where number_id = $1',
    values: [numberId],
  });
  return rows[0]?.organization_id;
}
