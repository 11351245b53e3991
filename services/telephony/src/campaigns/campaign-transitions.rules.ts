import type { CampaignStatus, EventTypeOf } from '@parley/contract';
import type { Campaign } from './campaign.rules';

export type CampaignTrigger = 'launch' | 'pause' | 'resume' | 'cancel' | 'complete';

export interface CampaignTransition {
  readonly from: CampaignStatus;
  readonly on: CampaignTrigger;
  readonly to: CampaignStatus;
  /** The event that reports the transition; absent if docs/reference/endpoints-and-events.md lists none. */
  readonly event?: EventTypeOf<'campaign'>;
}

/** The state transitions of a campaign (docs/reference/messages-and-campaigns.md). Any other transition is refused. */
export const campaignTransitions: readonly CampaignTransition[] = [
  { from: 'draft', on: 'launch', to: 'running', event: 'campaign.launched' },
  { from: 'draft', on: 'cancel', to: 'canceled' },
  { from: 'running', on: 'pause', to: 'paused' },
  { from: 'running', on: 'complete', to: 'completed', event: 'campaign.completed' },
  { from: 'running', on: 'cancel', to: 'canceled' },
  { from: 'paused', on: 'resume', to: 'running' },
  { from: 'paused', on: 'complete', to: 'completed', event: 'campaign.completed' },
  { from: 'paused', on: 'cancel', to: 'canceled' },
];

export interface CampaignStep {
  readonly campaign: Campaign;
  readonly event: CampaignTransition['event'];
}

/** Applies a transition to a campaign; undefined if the table does not allow it. `reason`: why the campaign is paused, or how it ended. */
export function moveCampaign(
  campaign: Campaign,
  trigger: CampaignTrigger,
  at: Date,
  reason: string | null = null,
): CampaignStep | undefined {
  const found = campaignTransitions.find(({ from, on }) => from === campaign.status && on === trigger);
  if (found === undefined) return undefined;
  const { to, event } = found;
  const moved: Campaign = {
    ...campaign,
    status: to,
    pausedReason: to === 'paused' ? reason : null,
    endReason: to === 'completed' ? reason : null,
    waitsFor: null,
    revision: campaign.revision + 1,
    resourceSeq: campaign.resourceSeq + (event === undefined ? 0 : 1),
    launchedAt: trigger === 'launch' ? at : campaign.launchedAt,
    pausedAt: to === 'paused' ? at : campaign.pausedAt,
    completedAt: to === 'completed' ? at : campaign.completedAt,
    canceledAt: to === 'canceled' ? at : campaign.canceledAt,
    // A resume resets the failure history, because a person has reviewed it.
    lastAttempts: trigger === 'resume' ? '' : campaign.lastAttempts,
    nextRunAt: at,
  };
  return { campaign: moved, event };
}
