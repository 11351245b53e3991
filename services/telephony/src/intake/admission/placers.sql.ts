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

/** Whether the key launched or resumed the campaign. */
export async function isStarter(
  db: Queryable,
  organizationId: string,
  campaignId: string,
  keyId: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'campaign-starter',
    text: 'select 1 from campaign_starts where organization_id = $1 and campaign_id = $2 and key_id = $3',
    values: [organizationId, campaignId, keyId],
  });
  return rowCount > 0;
}

/** Records that the key launched or resumed the campaign. */
export async function insertStart(
  tx: Queryable,
  organizationId: string,
  campaignId: string,
  keyId: string,
): Promise<void> {
  await tx.query({
    name: 'campaign-start-insert',
    text: `insert into campaign_starts (organization_id, campaign_id, key_id) values ($1, $2, $3)
           on conflict (organization_id, campaign_id, key_id) do nothing`,
    values: [organizationId, campaignId, keyId],
  });
}
