import { CampaignContactsAdd, validate } from '@parley/contract';
import { conflict, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { auditEvent, creating, findStoredResponse, type CreatingRequest } from '@parley/service';
import { newId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { lockCampaign, writeCampaign } from './campaigns.sql';
import { addContacts, type NewContact } from './contacts.sql';
import { addImportFaults, firstImportFaults, putImport } from './imports.sql';
import { isOver, type Campaign } from './campaign.rules';
import { renderImport, type ContactImport, type RowFault } from './contact-import.rules';
import type { Telephony } from '../telephony';
import { newContact } from './create-campaign';
import { getCampaign } from './read-campaigns';
import { refuseMoreThan } from './write-campaign';

/** The contacts of one upload, or of one chunk of it. */
export interface ContactRows {
  readonly contacts: readonly NewContact[];
  readonly faults: readonly RowFault[];
}

export interface AddedContacts {
  /** JSON of CampaignImportRecord. */
  readonly body: string;
  readonly replayed: boolean;
}

/**
 * Adds contacts to a campaign that is not over. Contacts already in the campaign remain unchanged.
 * @throws NotFoundError; ConflictError for a campaign that is over or full; BadRequestError, in which case no contact is added
 */
export async function addCampaignContacts(
  telephony: Pick<Telephony, 'db' | 'onCommit'>,
  named: string,
  campaignId: string,
  body: unknown,
  request: (organizationId: string) => CreatingRequest,
  context: OutgoingContext,
): Promise<AddedContacts> {
  const early = named === '' ? undefined : await findStoredResponse(telephony.db, request(named));
  if (early !== undefined) return replayOf(early.body);
  const { organizationId, projectId } = await getCampaign(telephony.db, named, campaignId);
  const { value } = validate(CampaignContactsAdd, body);
  if (value.project_id !== undefined && value.project_id !== projectId) throw forbidden();
  const contacts = value.contacts.map(newContact);
  const work = async (tx: Queryable) => {
    const { campaign, now } = await lockForContacts(tx, organizationId, campaignId);
    const begun = newImport(campaignId, 'json', [], now);
    const made = await takeRows(tx, campaign, { ...begun, status: 'completed' }, { contacts, faults: [] }, now);
    await auditContacts(tx, organizationId, made, now, context);
    const rendered = renderImport(made, []);
    return { status: 201, body: rendered, recordId: made.importId, value: rendered };
  };
  const { value: created, stored } = await creating(telephony.db, request(organizationId), work);
  telephony.onCommit(false);
  return created === undefined ? replayOf(stored.body) : { body: created, replayed: false };
}

const replayOf = (body: string): AddedContacts => ({ body, replayed: true });

/** Writes one audit entry per upload, in the transaction that starts the upload. The number of contacts is in its import record. */
export function auditContacts(
  tx: Queryable,
  organizationId: string,
  { campaignId, importId, format }: ContactImport,
  at: Date,
  context: OutgoingContext,
): Promise<void> {
  const detail = { import_id: importId, format };
  const act = { organizationId, action: 'campaign.contacts_added', subject: campaignId, detail };
  return append(tx, [auditEvent(act, at, context)]);
}

/** Locks the campaign and returns it. @throws NotFoundError, ConflictError if no contacts may be added to it */
export async function lockForContacts(
  tx: Queryable,
  organizationId: string,
  campaignId: string,
): Promise<{ readonly campaign: Campaign; readonly now: Date }> {
  const locked = await lockCampaign(tx, organizationId, campaignId);
  if (locked === undefined) throw notFound('campaign');
  if (isOver(locked.campaign)) throw conflict(`the campaign is ${locked.campaign.status}`);
  return locked;
}

export const newImport = (
  campaignId: string,
  format: ContactImport['format'],
  header: readonly string[],
  now: Date,
): ContactImport => ({
  importId: newId('imp'),
  campaignId,
  format,
  status: 'running',
  pieces: 0,
  header,
  rows: 0,
  added: 0,
  duplicates: 0,
  rejected: 0,
  createdAt: now,
  updatedAt: now,
});

/** Adds rows to a locked campaign and updates the counters of their import. */
export async function takeRows(
  tx: Queryable,
  campaign: Campaign,
  before: ContactImport,
  { contacts, faults }: ContactRows,
  now: Date,
): Promise<ContactImport> {
  const { organizationId, campaignId } = campaign;
  const added = await addContacts(tx, organizationId, campaignId, contacts, now);
  refuseMoreThan(campaign.contacts + added);
  const made: ContactImport = {
    ...before,
    pieces: before.pieces + 1,
    rows: before.rows + contacts.length + faults.length,
    added: before.added + added,
    duplicates: before.duplicates + contacts.length - added,
    rejected: before.rejected + faults.length,
    updatedAt: now,
  };
  await putImport(tx, organizationId, made);
  await addImportFaults(tx, organizationId, made.importId, faults);
  await writeCampaign(tx, organizationId, {
    ...campaign,
    contacts: campaign.contacts + added,
    pending: campaign.pending + added,
    progress: campaign.progress + 1,
    nextRunAt: campaign.status === 'draft' ? null : now,
    updatedAt: now,
  });
  return made;
}

/** JSON of CampaignImportRecord, with the first faults of the import. */
export async function renderedImport(db: Queryable, organizationId: string, made: ContactImport): Promise<string> {
  const faults = await firstImportFaults(db, organizationId, [made.importId]);
  return renderImport(made, faults.get(made.importId) ?? []);
}
