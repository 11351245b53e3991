import type {
  CampaignAttemptListQuery,
  CampaignContactListQuery,
  CampaignListQuery,
  ListQuery,
} from '@parley/contract';
import { badRequest, notFound } from '@parley/errors';
import { pageDocument, pagePosition } from '@parley/service';
import { listAttempts } from './attempts.sql';
import { findCampaign, listCampaigns } from './campaigns.sql';
import { listContacts } from './contacts.sql';
import { findImport, listFaults, listImports, firstImportFaults } from './imports.sql';
import { isOver, type Campaign } from './campaign.rules';
import { renderImport } from './contact-import.rules';
import { renderAttempt, renderContact, renderListedCampaign } from './render-campaign.rules';
import { isId, type Database } from '@parley/runtime';
import { ownerOfCampaign } from './due-campaigns.cross-tenant.sql';

/** @throws NotFoundError if it does not exist or belongs to another organization */
export async function getCampaign(db: Database, named: string, campaignId: string): Promise<Campaign> {
  const campaign = await findCampaign(db, await organizationOfCampaign(db, named, campaignId), campaignId);
  if (campaign === undefined) throw notFound('campaign');
  return campaign;
}

export async function listCampaignPage(
  db: Database,
  organizationId: string,
  query: CampaignListQuery,
): Promise<string> {
  const { limit, after } = pagePosition(query);
  const { project_id: projectId = '', agent_id: agentId = '', status = '' } = query;
  const rows = await listCampaigns(db, organizationId, {
    projectId,
    agentId,
    status,
    ascending: query.sort === 'created_at',
    after: after?.[0] ?? '',
    limit: limit + 1,
  });
  return pageDocument(
    rows,
    limit,
    (row) => renderListedCampaign(row, query.summary),
    (row) => [row.campaignId],
  );
}

/** Newest first. The filter not_called selects the pending contacts of a campaign that is over. @throws NotFoundError */
export async function listContactPage(
  db: Database,
  named: string,
  campaignId: string,
  query: CampaignContactListQuery,
): Promise<string> {
  const campaign = await getCampaign(db, named, campaignId);
  const over = isOver(campaign);
  const { limit, after } = pagePosition(query);
  const { status = '' } = query;
  const none = (status === 'not_called' && !over) || (status === 'pending' && over);
  const filter = {
    status: status === 'not_called' ? 'pending' : status,
    before: after?.[0] ?? '',
    limit: limit + 1,
  };
  const rows = none ? [] : await listContacts(db, campaign.organizationId, campaign.campaignId, filter);
  return pageDocument(
    rows,
    limit,
    (row) => renderContact(row, over),
    (row) => [row.contactId],
  );
}

/** Newest first. @throws NotFoundError */
export async function listAttemptPage(
  db: Database,
  named: string,
  campaignId: string,
  query: CampaignAttemptListQuery,
): Promise<string> {
  const { organizationId } = await getCampaign(db, named, campaignId);
  const { limit, after } = pagePosition(query);
  const { status = '', contact_id: contactId = '' } = query;
  const filter = { status, contactId, before: after?.[0] ?? '', limit: limit + 1 };
  const rows = await listAttempts(db, organizationId, campaignId, filter);
  return pageDocument(rows, limit, renderAttempt, (row) => [row.attemptId]);
}

/** Newest first. @throws NotFoundError */
export async function listImportPage(
  db: Database,
  named: string,
  campaignId: string,
  query: ListQuery,
): Promise<string> {
  const { organizationId } = await getCampaign(db, named, campaignId);
  const { limit, after } = pagePosition(query);
  const rows = await listImports(db, organizationId, campaignId, after?.[0] ?? '', limit + 1);
  const faults = await firstImportFaults(
    db,
    organizationId,
    rows.map(({ importId }) => importId),
  );
  return pageDocument(
    rows,
    limit,
    (row) => renderImport(row, faults.get(row.importId) ?? []),
    (row) => [row.importId],
  );
}

/** In the order of lines. @throws NotFoundError */
export async function listImportFaults(
  db: Database,
  named: string,
  { campaignId, importId }: { readonly campaignId: string; readonly importId: string },
  query: ListQuery,
): Promise<string> {
  const { organizationId } = await getCampaign(db, named, campaignId);
  const found = isId('imp', importId) ? await findImport(db, organizationId, campaignId, importId) : undefined;
  if (found === undefined) throw notFound('import');
  const { limit, after } = pagePosition(query);
  const line = Number(after?.[0] ?? 0);
  if (!Number.isSafeInteger(line)) throw badRequest('cursor does not belong to this list');
  const rows = await listFaults(db, organizationId, importId, line, limit + 1);
  return pageDocument(
    rows,
    limit,
    (row) => JSON.stringify(row),
    (row) => [String(row.line)],
  );
}

/**
 * The organization in which to look up a campaign: the specified one, or the campaign's own if an operator specified none.
 * @throws NotFoundError for a malformed id, or if no organization has the campaign
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
