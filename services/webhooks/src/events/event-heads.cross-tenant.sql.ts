import type { Queryable } from '@parley/runtime';

/** The last position of each of these organizations' event logs; 0 if the log has no events. */
export async function readHeads(db: Queryable, organizationIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ organization_id: string; last_seq: string }>({
    name: 'event-heads',
    text: 'select organization_id, last_seq from event_heads where organization_id = any($1::text[])',
    values: [organizationIds],
  });
  const found = new Map(rows.map(({ organization_id, last_seq }) => [organization_id, Number(last_seq)]));
  return new Map(organizationIds.map((id) => [id, found.get(id) ?? 0]));
}
