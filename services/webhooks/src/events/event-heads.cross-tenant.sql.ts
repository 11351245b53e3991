import type { Queryable } from '@parley/runtime';

/** The last position of each of these organizations' event logs; 0 if the log has no events. */
export async function readHeads(db: Queryable, organizationIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ organization_id: string; last_seq: string | null }>({
    name: 'event-heads',
    text: 'select organization_id, event_head(organization_id) as last_seq from unnest($1::text[]) as one (organization_id)',
    values: [organizationIds],
  });
  return new Map(rows.map(({ organization_id, last_seq }) => [organization_id, Number(last_seq ?? 0)]));
}
