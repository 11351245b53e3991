import type { Queryable } from '@parley/runtime';

/** Whether the key placed the call, or launched or resumed the campaign that placed it. */
export async function isPlacer(db: Queryable, organizationId: string, callId: string, keyId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'call-placer',
    text: `select 1 from calls c
           where c.organization_id = $1 and c.call_id = $2 and (c.placed_by = $3 or exists (
             select 1 from campaign_starts s
             where s.organization_id = $1 and s.campaign_id = c.placed_by and s.key_id = $3))`,
    values: [organizationId, callId, keyId],
  });
  return rowCount > 0;
}
