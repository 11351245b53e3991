import type { Queryable } from '@parley/runtime';
import { lockedOf, type LockedCampaign, type LockedRow } from './campaigns.sql';

/** Locks the most overdue campaign that no other replica has locked (skip locked). Undefined: no campaign is due. */
export async function lockDueCampaign(tx: Queryable): Promise<LockedCampaign | undefined> {
  const { rows } = await tx.query<LockedRow>({
    name: 'campaign-lock-due',
    text: `select *, clock_timestamp() as now from campaigns
           where next_run_at <= now()
           order by next_run_at limit 1 for update skip locked`,
  });
  return lockedOf(rows[0]);
}

/** Whether a campaign is due. In the usual case that none is, a single index probe replaces a transaction. */
export async function anyCampaignDue(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'campaign-any-due',
    text: 'select 1 from campaigns where next_run_at <= now() limit 1',
  });
  return rowCount > 0;
}

/** Postpones a campaign whose pass failed, so that others go first. */
export async function postponeCampaign(db: Queryable, campaignId: string, seconds: number): Promise<void> {
  await db.query({
    name: 'campaign-postpone',
    text: `update campaigns set next_run_at = clock_timestamp() + make_interval(secs => $2)
           where campaign_id = $1 and next_run_at is not null`,
    values: [campaignId, seconds],
  });
}

/**
 * The organization that owns a campaign, for an operator that specified none. The statements of this file are not restricted to one organization; those that
 * use the result are.
 */
export async function ownerOfCampaign(db: Queryable, campaignId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'campaign-owner',
    text: 'select organization_id from campaigns where campaign_id = $1',
    values: [campaignId],
  });
  return rows[0]?.organization_id;
}
