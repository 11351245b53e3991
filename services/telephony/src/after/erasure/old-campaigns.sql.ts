import type { Queryable } from '@parley/runtime';

/** A campaign that has been over for this many days and still has contacts or imports; undefined for none. */
export async function findOldCampaign(
  db: Queryable,
  organizationId: string,
  days: number,
): Promise<string | undefined> {
  const { rows } = await db.query<{ campaign_id: string }>({
    name: 'retention-old-campaign',
    text: `select c.campaign_id from campaigns c
           where c.organization_id = $1 and c.status in ('completed', 'canceled')
             and coalesce(c.completed_at, c.canceled_at) < now() - make_interval(days => $2)
             and (exists (select 1 from campaign_contacts t where t.organization_id = $1 and t.campaign_id = c.campaign_id
                 and t.status <> 'active')
               or exists (select 1 from campaign_imports i where i.organization_id = $1 and i.campaign_id = c.campaign_id))
           order by c.campaign_id limit 1`,
    values: [organizationId, days],
  });
  return rows[0]?.campaign_id;
}

/** The next contacts of a campaign, without those being called at the moment. */
export async function someContacts(
  db: Queryable,
  organizationId: string,
  campaignId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ contact_id: string }>({
    name: 'retention-contacts',
    text: `select contact_id from campaign_contacts where organization_id = $1 and campaign_id = $2 and status <> 'active'
           order by contact_id limit $3`,
    values: [organizationId, campaignId, limit],
  });
  return rows.map(({ contact_id: contactId }) => contactId);
}
