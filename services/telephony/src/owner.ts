import { notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import { ownerOfCall, ownerOfCampaign, ownerOfMessage, ownerOfNumber } from '../db/owners';

/** The organization to look a call up in: the one named, else (an operator who named none) the call's own; '' for none. */
export async function organizationOfCall(db: Database, organizationId: string, callId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfCall(db, callId)) ?? '');
}

/** As `organizationOfCall`, for a number. */
export async function organizationOfNumber(db: Database, organizationId: string, numberId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfNumber(db, numberId)) ?? '');
}

/** As `organizationOfCall`, for a campaign. @throws NotFoundError for an id that cannot exist or that no one holds */
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

/** As `organizationOfCall`, for a message. */
export async function organizationOfMessage(db: Database, organizationId: string, messageId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfMessage(db, messageId)) ?? '');
}
