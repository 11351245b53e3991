import type { Queryable } from '@parley/runtime';

/**
 * The last position of an organization's event log as an SQL expression; null if the log has no events. The row is searched in its last era, because the
 * primary key visits all versions while a transaction holds an old snapshot (ADR 133). Rows that only replicas of an earlier release have written have no era.
 */
export const lastPosition = (organizationId: string): string =>
  `coalesce(
    (select last_seq from event_heads where (event_heads.organization_id || '') = ${organizationId} and era > 0 order by era desc limit 1),
    (select last_seq from event_heads where event_heads.organization_id = ${organizationId}))`;

/** The last position of each of these organizations' event logs. */
export async function readHeads(db: Queryable, organizationIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ organization_id: string; last_seq: string | null }>({
    name: 'event-heads',
    text: `select one.organization_id, ${lastPosition('one.organization_id')} as last_seq
      from unnest($1::text[]) as one (organization_id)`,
    values: [organizationIds],
  });
  return new Map(rows.map(({ organization_id, last_seq }) => [organization_id, Number(last_seq ?? 0)]));
}
