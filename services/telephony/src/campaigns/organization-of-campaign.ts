import { notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import { ownerOfCampaign } from './campaign-owner.cross-tenant.sql';

/**
 * The organization to look a campaign up in: the one named, else (an operator who named none) the campaign's own.
 * @throws NotFoundError for an id that cannot exist or that no organization has
 */
export async function organizationOfCampaign(
  db: Database,
  organizationId: string,
  campaignId: string,
): Promise<string> {
  if (!isId('cmp', campaignId)) throw notFound('campaign');
  const owner = organizationId !== '' ? organizationId : await ownerOfCampaign(db, campaignId);
  if (owner === undefined) throw notFound('campaign');
  return owner;
}
