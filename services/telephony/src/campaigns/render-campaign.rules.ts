import { campaignSummaryFields, contactOutcomes, renderListed, type ContactOutcome } from '@parley/contract';
import type { Attempt, Campaign } from './campaign.rules';

const iso = (date: Date | null): string | null => (date === null ? null : date.toISOString());

/** The public JSON of a campaign, class CampaignRecord. */
export const renderCampaign = (campaign: Campaign): string => JSON.stringify(recordOf(campaign));

/** The same in a list, shortened if a summary is requested. */
export const renderListedCampaign = (campaign: Campaign, summary: boolean): string =>
  renderListed(recordOf(campaign), summary ? campaignSummaryFields : undefined);

function recordOf(campaign: Campaign): object {
  const { settings } = campaign;
  return {
    campaign_id: campaign.campaignId,
    organization_id: campaign.organizationId,
    project_id: campaign.projectId,
    agent_id: campaign.agentId,
    name: campaign.name,
    from: campaign.from,
    window: settings.window,
    max_concurrent: settings.max_concurrent,
    calls_per_minute: settings.calls_per_minute,
    retry: settings.retry,
    ends_at: iso(campaign.endsAt),
    pause_at_failure_percent: settings.pause_at_failure_percent,
    metadata: settings.metadata,
    status: campaign.status,
    paused_reason: campaign.pausedReason,
    end_reason: campaign.endReason,
    waits_for: campaign.waitsFor,
    statistics: {
      contacts: campaign.contacts,
      pending: campaign.pending,
      live: campaign.live,
      waiting: campaign.waiting,
      in_review: campaign.inReview,
      completed: campaign.completed,
      attempts: campaign.attempts,
      outcomes: Object.fromEntries(contactOutcomes.map((outcome) => [outcome, campaign.outcomes[outcome] ?? 0])),
    },
    launched_at: iso(campaign.launchedAt),
    paused_at: iso(campaign.pausedAt),
    completed_at: iso(campaign.completedAt),
    canceled_at: iso(campaign.canceledAt),
    created_at: iso(campaign.createdAt),
    updated_at: iso(campaign.updatedAt),
  };
}

/** The strong entity tag of a campaign: it changes with every field that reads return. */
export const campaignEtag = ({ campaignId, revision, progress }: Campaign): string =>
  `"${campaignId}.${revision}.${progress}"`;

/**
 * Whether an If-Match header matches the latest change by a client (the revision). Progress of the campaign's calls only changes its statistics; it does not
 * make the header stale, because an update cannot overwrite statistics.
 */
export function matchesCampaign(ifMatch: string, { campaignId, revision }: Campaign): boolean {
  if (ifMatch === '' || ifMatch.trim() === '*') return true;
  const written = `"${campaignId}.${revision}.`;
  return ifMatch
    .split(',')
    .some((tag) => tag.trim().startsWith(written) && /^\d+"$/.test(tag.trim().slice(written.length)));
}

/** A contact as stored. */
export interface Contact {
  readonly contactId: string;
  readonly campaignId: string;
  readonly to: string;
  readonly variables: string;
  readonly metadata: string;
  readonly consent: boolean;
  /** IANA; null: that of the number. */
  readonly timeZone: string | null;
  readonly status: 'pending' | 'active' | 'completed';
  readonly outcome: ContactOutcome | null;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly lastCallId: string | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/** JSON of the class CampaignContactRecord. A contact that is still pending when its campaign is over is shown as `not_called`. */
export function renderContact(contact: Contact, campaignIsOver: boolean): string {
  const left = campaignIsOver && contact.status === 'pending';
  return JSON.stringify({
    contact_id: contact.contactId,
    campaign_id: contact.campaignId,
    to: contact.to,
    status: left ? 'not_called' : contact.status,
    outcome: contact.outcome,
    attempts: contact.attempts,
    next_attempt_at: left ? null : iso(contact.nextAttemptAt),
    last_call_id: contact.lastCallId,
    variables: JSON.parse(contact.variables) as unknown,
    metadata: JSON.parse(contact.metadata) as unknown,
    consent: contact.consent,
    time_zone: contact.timeZone,
    created_at: iso(contact.createdAt),
    completed_at: iso(contact.completedAt),
  });
}

/** JSON of the class CampaignAttemptRecord. */
export function renderAttempt(attempt: Attempt): string {
  return JSON.stringify({
    attempt_id: attempt.attemptId,
    campaign_id: attempt.campaignId,
    contact_id: attempt.contactId,
    call_id: attempt.callId,
    status: attempt.status,
    outcome: attempt.outcome,
    waits_for: attempt.waitsFor,
    withdrawn: attempt.withdrawn,
    created_at: iso(attempt.createdAt),
    completed_at: iso(attempt.completedAt),
  });
}
