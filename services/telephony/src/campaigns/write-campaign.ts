import { limits, type CampaignUpdate } from '@parley/contract';
import { badRequest, conflict, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import { auditEvent, type PublicResult } from '@parley/service';
import { insertStart, lockCampaign, writeCampaign } from './campaigns.sql';
import { placerOf } from '../intake';
import { isOver, isPastEnd, type Campaign, type CampaignSettings } from './campaign.rules';
import { moveCampaign, type CampaignTrigger } from './campaign-transitions.rules';
import { campaignEtag, matchesCampaign, renderCampaign } from './render-campaign.rules';
import { appendCampaignEvent } from './campaign-events';
import type { Telephony } from '../telephony';
import { agentOfCampaign, callingNumber, refuseUnready } from './campaign-agent';
import { withoutContact } from './contact-import.rules';
import { getCampaign } from './read-campaigns';

type Needs = Pick<Telephony, 'db' | 'agents' | 'controls' | 'onCommit'>;

/** Updates a locked campaign with a client's changes. */
async function writeBack(tx: Queryable, campaign: Campaign, now: Date): Promise<Campaign> {
  const written = { ...campaign, progress: campaign.progress + 1, updatedAt: now };
  await writeCampaign(tx, campaign.organizationId, written);
  return written;
}

export const campaignResult = (campaign: Campaign): PublicResult => ({
  body: renderCampaign(campaign),
  etag: campaignEtag(campaign),
});

/**
 * Updates a campaign that is not over; the agent can be changed only in a draft. The changes apply to calls placed from then on.
 * @throws NotFoundError; ConflictError for a stale If-Match or a campaign that is over; BadRequestError
 */
export async function updateCampaign(
  telephony: Needs,
  named: string,
  campaignId: string,
  ifMatch: string,
  body: () => CampaignUpdate,
  context: OutgoingContext,
): Promise<PublicResult> {
  const known = await getCampaign(telephony.db, named, campaignId);
  const value = body();
  if (value.project_id !== undefined && value.project_id !== known.projectId) throw forbidden();
  const changesAgent = value.agent_id !== undefined && value.agent_id !== known.agentId;
  const asked = changesAgent || value.from !== undefined;
  const agent = asked
    ? await agentOfCampaign(telephony, known.organizationId, value.agent_id ?? known.agentId, context)
    : undefined;
  if (agent !== undefined && agent.projectId !== known.projectId)
    throw badRequest("agent_id is not an agent of the campaign's project");
  const from = agent === undefined ? known.from : await callingNumber(telephony, agent, value.from ?? known.from);
  const after = await telephony.db.transaction(async (tx) => {
    const locked = await lockCampaign(tx, known.organizationId, campaignId);
    if (locked === undefined) throw notFound('campaign');
    const { campaign, now } = locked;
    if (!matchesCampaign(ifMatch, campaign)) throw conflict('the campaign was changed since it was read');
    if (isOver(campaign)) throw conflict(`the campaign is ${campaign.status}`);
    if (changesAgent && campaign.status !== 'draft') throw conflict('agent_id can be changed only in a draft');
    const act = { organizationId: known.organizationId, action: 'campaign.updated', subject: campaignId };
    await append(tx, [auditEvent({ ...act, detail: { changed: Object.keys(value) } }, now, context)]);
    return writeBack(tx, changed(campaign, value, changesAgent, from, now), now);
  });
  telephony.onCommit(false);
  return campaignResult(after);
}

function changed(campaign: Campaign, value: CampaignUpdate, changesAgent: boolean, from: string, now: Date): Campaign {
  const endsAt =
    value.ends_at === undefined ? campaign.endsAt : value.ends_at === null ? null : new Date(value.ends_at);
  return {
    ...campaign,
    agentId: changesAgent && value.agent_id !== undefined ? value.agent_id : campaign.agentId,
    name: value.name ?? campaign.name,
    from: value.from === undefined && !changesAgent ? campaign.from : from,
    settings: settingsAfter(campaign.settings, value),
    endsAt,
    revision: campaign.revision + 1,
    // Makes the campaign due, so that the runner applies the new settings.
    nextRunAt: campaign.status === 'draft' ? null : now,
  };
}

const settingsAfter = (before: CampaignSettings, value: CampaignUpdate): CampaignSettings => ({
  window: value.window === undefined ? before.window : value.window,
  max_concurrent: value.max_concurrent ?? before.max_concurrent,
  calls_per_minute: value.calls_per_minute ?? before.calls_per_minute,
  retry: value.retry === undefined ? before.retry : value.retry,
  pause_at_failure_percent:
    value.pause_at_failure_percent === undefined ? before.pause_at_failure_percent : value.pause_at_failure_percent,
  metadata: value.metadata ?? before.metadata,
});

const acts = {
  launch: 'campaign.launched',
  pause: 'campaign.paused',
  resume: 'campaign.resumed',
  cancel: 'campaign.canceled',
} as const;

/**
 * Launches, pauses, resumes or cancels a campaign. Launching and resuming check whether its agent can call now.
 * @throws NotFoundError; ConflictError if the campaign's status does not allow it; SuspensionError, realtime_config_not_runnable
 */
export async function changeCampaign(
  telephony: Needs,
  named: string,
  campaignId: string,
  trigger: Exclude<CampaignTrigger, 'complete'>,
  context: OutgoingContext,
): Promise<PublicResult> {
  const known = await getCampaign(telephony.db, named, campaignId);
  const { organizationId } = known;
  const starts = trigger === 'launch' || trigger === 'resume';
  if (starts && moveCampaign(known, trigger, known.updatedAt) !== undefined) {
    await refuseUnready(telephony, await agentOfCampaign(telephony, organizationId, known.agentId, context));
  }
  const after = await telephony.db.transaction(async (tx) => {
    const locked = await lockCampaign(tx, organizationId, campaignId);
    if (locked === undefined) throw notFound('campaign');
    const { campaign, now } = locked;
    const step = moveCampaign(campaign, trigger, now, trigger === 'pause' ? 'requested' : null);
    if (step === undefined) throw conflict(`the campaign is ${campaign.status}`);
    if (trigger === 'launch' && campaign.contacts === 0) throw conflict('the campaign has no contacts');
    if (starts && isPastEnd(campaign, now)) throw conflict('ends_at of the campaign has passed');
    const written = await writeBack(tx, step.campaign, now);
    const keyId = context.caller === undefined ? '' : placerOf(context.caller);
    if (starts && keyId !== '') await insertStart(tx, organizationId, campaignId, keyId);
    await appendCampaignEvent(tx, { ...step, campaign: written }, now);
    await append(tx, [
      auditEvent({ organizationId, action: acts[trigger], subject: campaignId, detail: {} }, now, context),
    ]);
    return written;
  });
  telephony.onCommit(false);
  return campaignResult(after);
}

/** Enforces the maximum of contacts in a campaign. @throws ConflictError */
export function refuseMoreThan(contacts: number): void {
  if (contacts > limits.contactsOfCampaign)
    throw conflict(`a campaign has at most ${limits.contactsOfCampaign} contacts`);
}

/**
 * Takes a contact off its campaign, within the transaction that erases it. Past attempts of the contact remain in the statistics.
 * @param erase returns what the contact was; undefined for one that is being called @returns false for one that is being called
 */
export async function dropContact(
  tx: Queryable,
  organizationId: string,
  campaignId: string,
  erase: () => Promise<Parameters<typeof withoutContact>[1] | undefined>,
): Promise<boolean> {
  const locked = await lockCampaign(tx, organizationId, campaignId);
  if (locked === undefined) return true;
  const removed = await erase();
  if (removed === undefined) return false;
  await writeCampaign(tx, organizationId, withoutContact(locked.campaign, removed));
  return true;
}
