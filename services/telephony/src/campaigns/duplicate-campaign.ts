import { limits, type CampaignDuplicate } from '@parley/contract';
import { forbidden } from '@parley/errors';
import { append } from '@parley/outbox';
import { auditEvent, creating, findStoredResponse, type CreatingRequest, type PublicResult } from '@parley/service';
import { databaseNow, newId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { insertCampaign } from './campaigns.sql';
import { addContacts, listContactsAfter } from './contacts.sql';
import type { Campaign } from './campaign.rules';
import { campaignEtag, renderCampaign } from './render-campaign.rules';
import type { Telephony } from '../telephony';
import { draftOf, replayOf } from './create-campaign';
import { getCampaign } from './read-campaigns';

/** Contacts copied per statement. */
const pageRows = 2_000;

/** Creates a draft copy of a campaign, with its contacts as they were imported. The end time is omitted if it has passed. @throws NotFoundError */
export async function duplicateCampaign(
  telephony: Pick<Telephony, 'db' | 'onCommit'>,
  named: string,
  campaignId: string,
  body: () => CampaignDuplicate,
  request: (organizationId: string) => CreatingRequest,
  context: OutgoingContext,
): Promise<PublicResult> {
  const early = named === '' ? undefined : await findStoredResponse(telephony.db, request(named));
  if (early !== undefined) return replayOf(early);
  const source = await getCampaign(telephony.db, named, campaignId);
  const value = body();
  if (value.project_id !== undefined && value.project_id !== source.projectId) throw forbidden();
  const work = async (tx: Queryable) => {
    const now = await databaseNow(tx);
    const name = value.name ?? `${source.name.slice(0, limits.name.max - 7)} (copy)`;
    const blank = draftOf({ ...source, name }, source.settings, now);
    const draft = { ...blank, endsAt: source.endsAt !== null && source.endsAt > now ? source.endsAt : null };
    const contacts = value.contacts === false ? 0 : await copyContacts(tx, source, draft.campaignId, now);
    const copy: Campaign = { ...draft, contacts, pending: contacts };
    await insertCampaign(tx, source.organizationId, copy);
    const rendered = renderCampaign(copy);
    const detail = { agent_id: copy.agentId, name: copy.name, contacts, duplicate_of: campaignId };
    const act = { organizationId: source.organizationId, action: 'campaign.created', subject: copy.campaignId, detail };
    await append(tx, [auditEvent(act, now, context)]);
    return {
      status: 201,
      body: rendered,
      recordId: copy.campaignId,
      value: { body: rendered, etag: campaignEtag(copy) },
    };
  };
  const { value: created, stored } = await creating(telephony.db, request(source.organizationId), work);
  telephony.onCommit(false);
  return created ?? replayOf(stored);
}

async function copyContacts(tx: Queryable, source: Campaign, into: string, now: Date): Promise<number> {
  const { organizationId, campaignId } = source;
  let after = '';
  for (let copied = 0; ;) {
    const page = await listContactsAfter(tx, organizationId, campaignId, after, pageRows);
    const last = page.at(-1);
    if (last === undefined) return copied;
    const copies = page.map((contact) => ({ ...contact, contactId: newId('ctc') }));
    copied += await addContacts(tx, organizationId, into, copies, now);
    after = last.contactId;
  }
}
