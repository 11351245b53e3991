import { eventData, eventSubject, type EventType, type EventTypeOf } from '@parley/contract';
import type { Campaign } from './campaign.rules';
import { renderCampaign } from './render-campaign.rules';

/** An event as the outbox expects it, without its stream. */
export interface CampaignEvent {
  readonly id: string;
  readonly subject: string;
  readonly payload: string;
}

interface Reported {
  readonly id: string;
  readonly type: EventType;
  readonly resourceId: string;
  readonly resourceSeq: number;
  readonly data: string;
}

function eventOf(campaign: Campaign, { id, type, resourceId, resourceSeq, data }: Reported, at: Date): CampaignEvent {
  const head = JSON.stringify({
    id,
    type,
    created_at: at.toISOString(),
    organization_id: campaign.organizationId,
    project_id: campaign.projectId,
    agent_id: campaign.agentId,
    resource_id: resourceId,
    resource_seq: resourceSeq,
  });
  return {
    id,
    subject: eventSubject(campaign.organizationId, type),
    payload: `${head.slice(0, -1)},"data":${eventData(data, `/v1/campaigns/${campaign.campaignId}`)}}`,
  };
}

/** The event of a campaign's transition; `data` is the campaign after it. */
export const campaignEvent = (
  id: string,
  type: EventTypeOf<'campaign'>,
  campaign: Campaign,
  at: Date,
): CampaignEvent => {
  const { campaignId: resourceId, resourceSeq } = campaign;
  return eventOf(campaign, { id, type, resourceId, resourceSeq, data: renderCampaign(campaign) }, at);
};

/** The event of a finished contact. Contacts have no other events. */
export const contactEvent = (
  id: string,
  campaign: Campaign,
  contactId: string,
  data: string,
  at: Date,
): CampaignEvent =>
  eventOf(campaign, { id, type: 'campaign.contact.completed', resourceId: contactId, resourceSeq: 1, data }, at);
