import { badRequest, notFound } from '@parley/errors';
import { decodeCursor, encodeCursor, isId, type Database } from '@parley/runtime';
import { listAttempts } from '../../db/campaigns/attempts';
import { findCampaign, listCampaigns } from '../../db/campaigns/campaigns';
import { listContacts } from '../../db/campaigns/contacts';
import { findImport, listFaults, listImports, firstFaults } from '../../db/campaigns/imports';
import { isOver, type Campaign } from '../../domain/campaigns/campaign';
import { renderImport } from '../../domain/campaigns/contact-import';
import { renderAttempt, renderCampaign, renderContact } from '../../domain/campaigns/render-campaign';
import { organizationOfCampaign } from '../owner';
import { pageOf } from '../page';

export interface CampaignListInput {
  /** Empty for an operator who named none. */
  readonly organizationId: string;
  /** Empty for the list of campaigns. */
  readonly campaignId: string;
  readonly cursor: string;
  readonly limit: number;
  /** Each empty or a filter. */
  readonly projectId: string;
  readonly status: string;
  readonly contactId: string;
  readonly importId: string;
}

/** @throws NotFoundError when it is absent or another organization's */
export async function getCampaign(db: Database, named: string, campaignId: string): Promise<Campaign> {
  const campaign = await findCampaign(db, await organizationOfCampaign(db, named, campaignId), campaignId);
  if (campaign === undefined) throw notFound('campaign');
  return campaign;
}

const beforeOf = (cursor: string): string => (cursor === '' ? '' : (decodeCursor(cursor, 1)[0] ?? ''));

/** Newest first. */
export async function listCampaignPage(db: Database, input: CampaignListInput): Promise<string> {
  const { organizationId, projectId, status, cursor, limit } = input;
  if (organizationId === '') throw badRequest('organization_id is required');
  const filter = { projectId, status, before: beforeOf(cursor), limit: limit + 1 };
  const rows = await listCampaigns(db, organizationId, filter);
  return pageOf(rows, limit, renderCampaign, (row) => encodeCursor([row.campaignId]));
}

/** Newest first. A filter by not_called is one by pending of a campaign that is over. @throws NotFoundError */
export async function listContactPage(db: Database, input: CampaignListInput): Promise<string> {
  const campaign = await getCampaign(db, input.organizationId, input.campaignId);
  const over = isOver(campaign);
  const { status, cursor, limit } = input;
  const none = (status === 'not_called' && !over) || (status === 'pending' && over);
  const filter = { status: status === 'not_called' ? 'pending' : status, before: beforeOf(cursor), limit: limit + 1 };
  const rows = none ? [] : await listContacts(db, campaign.organizationId, campaign.campaignId, filter);
  return pageOf(
    rows,
    limit,
    (row) => renderContact(row, over),
    (row) => encodeCursor([row.contactId]),
  );
}

/** Newest first. @throws NotFoundError */
export async function listAttemptPage(db: Database, input: CampaignListInput): Promise<string> {
  const { organizationId, campaignId } = await getCampaign(db, input.organizationId, input.campaignId);
  const { status, contactId, cursor, limit } = input;
  const filter = { status, contactId, before: beforeOf(cursor), limit: limit + 1 };
  const rows = await listAttempts(db, organizationId, campaignId, filter);
  return pageOf(rows, limit, renderAttempt, (row) => encodeCursor([row.attemptId]));
}

/** Newest first. @throws NotFoundError */
export async function listImportPage(db: Database, input: CampaignListInput): Promise<string> {
  const { organizationId, campaignId } = await getCampaign(db, input.organizationId, input.campaignId);
  const { cursor, limit } = input;
  const rows = await listImports(db, organizationId, campaignId, beforeOf(cursor), limit + 1);
  const faults = await firstFaults(
    db,
    organizationId,
    rows.map(({ importId }) => importId),
  );
  return pageOf(
    rows,
    limit,
    (row) => renderImport(row, faults.get(row.importId) ?? []),
    (row) => encodeCursor([row.importId]),
  );
}

/** By line. @throws NotFoundError */
export async function listFaultPage(db: Database, input: CampaignListInput): Promise<string> {
  const { organizationId, campaignId } = await getCampaign(db, input.organizationId, input.campaignId);
  const { importId, cursor, limit } = input;
  const found = isId('imp', importId) ? await findImport(db, organizationId, campaignId, importId) : undefined;
  if (found === undefined) throw notFound('import');
  const after = cursor === '' ? 0 : Number(decodeCursor(cursor, 1)[0] ?? 0);
  if (!Number.isSafeInteger(after)) throw badRequest('cursor is not one of this list');
  const rows = await listFaults(db, organizationId, importId, after, limit + 1);
  return pageOf(
    rows,
    limit,
    (row) => JSON.stringify(row),
    (row) => encodeCursor([String(row.line)]),
  );
}
