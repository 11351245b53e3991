import { limits, type CampaignContactCreate, type CampaignCreate } from '@parley/contract';
import { badRequest } from '@parley/errors';
import { append } from '@parley/outbox';
import {
  auditEvent,
  creating,
  findStoredResponse,
  type CreatingRequest,
  type PublicResult,
  type StoredResponse,
} from '@parley/service';
import { databaseNow, newId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { insertCampaign } from './campaigns.sql';
import { addContacts, type NewContact } from './contacts.sql';
import type { Campaign, CampaignSettings } from './campaign.rules';
import { campaignEtag, renderCampaign } from './render-campaign.rules';
import type { Telephony } from '../telephony';
import { agentOfCampaign, callingNumber } from './campaign-agent';

/**
 * Creates a draft campaign, with contacts if the request contains some.
 * @throws NotFoundError for the agent; BadRequestError, also if a number occurs twice
 */
export async function createCampaign(
  telephony: Pick<Telephony, 'db' | 'agents' | 'onCommit'>,
  request: (organizationId: string) => CreatingRequest,
  named: string,
  body: () => CampaignCreate,
  context: OutgoingContext,
): Promise<PublicResult> {
  const early = named === '' ? undefined : await findStoredResponse(telephony.db, request(named));
  if (early !== undefined) return replayOf(early);
  const value = body();
  const agent = await agentOfCampaign(telephony, named, value.agent_id, context);
  if (value.project_id !== undefined && value.project_id !== agent.projectId)
    throw badRequest("project_id is not the agent's project");
  const { organizationId, projectId } = agent;
  const from = await callingNumber(telephony, agent, value.from);
  const contacts = (value.contacts ?? []).map(newContact);
  const work = async (tx: Queryable) => {
    const now = await databaseNow(tx);
    const draft = draftOf(
      { organizationId, projectId, agentId: agent.agentId, name: value.name, from },
      settingsOf(value),
      now,
    );
    const ended = value.ends_at === undefined || value.ends_at === null ? null : new Date(value.ends_at);
    await insertCampaign(tx, organizationId, {
      ...draft,
      endsAt: ended,
      contacts: contacts.length,
      pending: contacts.length,
    });
    const added = await addContacts(tx, organizationId, draft.campaignId, contacts, now);
    if (added < contacts.length) throw badRequest('contacts contains a number twice');
    const campaign = { ...draft, endsAt: ended, contacts: added, pending: added };
    const rendered = renderCampaign(campaign);
    const detail = { agent_id: campaign.agentId, name: campaign.name, contacts: added };
    const act = { organizationId, action: 'campaign.created', subject: campaign.campaignId, detail };
    await append(tx, [auditEvent(act, now, context)]);
    return {
      status: 201,
      body: rendered,
      recordId: draft.campaignId,
      value: { body: rendered, etag: campaignEtag(campaign) },
    };
  };
  const { value: created, stored } = await creating(telephony.db, request(organizationId), work);
  telephony.onCommit(false);
  return created ?? replayOf(stored);
}

/** The response to the creation of the campaign, with the entity tag that the campaign had then. */
export const replayOf = ({ body, recordId = '' }: StoredResponse): PublicResult => ({
  body,
  etag: `"${recordId}.1.0"`,
  replayed: true,
});

/** A contact of a request as a row to store. */
export const newContact = ({
  to,
  variables,
  metadata,
  consent,
  time_zone: timeZone,
}: CampaignContactCreate): NewContact => ({
  contactId: newId('ctc'),
  to,
  variables: JSON.stringify(variables ?? {}),
  metadata: JSON.stringify(metadata ?? {}),
  consent: consent ?? false,
  timeZone: timeZone ?? null,
});

const settingsOf = (value: CampaignCreate): CampaignSettings => ({
  window: value.window ?? null,
  max_concurrent: value.max_concurrent ?? limits.campaignConcurrentDefault,
  calls_per_minute: value.calls_per_minute ?? limits.campaignCallsPerMinuteDefault,
  retry: value.retry ?? null,
  pause_at_failure_percent:
    value.pause_at_failure_percent === undefined
      ? limits.campaignFailurePercentDefault
      : value.pause_at_failure_percent,
  metadata: value.metadata ?? {},
});

type Whose = Pick<Campaign, 'organizationId' | 'projectId' | 'agentId' | 'name' | 'from'>;

/** A campaign in its initial state. */
export const draftOf = (whose: Whose, settings: CampaignSettings, now: Date): Campaign => ({
  ...whose,
  campaignId: newId('cmp'),
  settings,
  endsAt: null,
  status: 'draft',
  pausedReason: null,
  endReason: null,
  waitsFor: null,
  revision: 1,
  progress: 0,
  resourceSeq: 0,
  contacts: 0,
  pending: 0,
  live: 0,
  waiting: 0,
  inReview: 0,
  completed: 0,
  attempts: 0,
  outcomes: {},
  recent: '',
  lastAttempts: '',
  nextRunAt: null,
  launchedAt: null,
  pausedAt: null,
  completedAt: null,
  canceledAt: null,
  createdAt: now,
  updatedAt: now,
});
