import type { Queryable } from '@parley/runtime';

/** The organization that a record belongs to, for an operator who named none: no statement here names an organization; whatever follows them does. */
export async function ownerOfCampaign(db: Queryable, campaignId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'campaign-owner',
    text: 'select organization_id from campaigns where campaign_id = $1',
    values: [campaignId],
  });
  return rows[0]?.organization_id;
}
