import type { Queryable } from '@parley/runtime';

/** The organization that a record belongs to, for an operator who named none: no statement here names an organization; whatever follows them does. */
export async function ownerOfMessage(db: Queryable, messageId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'message-owner',
    text: 'select organization_id from messages where message_id = $1',
    values: [messageId],
  });
  return rows[0]?.organization_id;
}
