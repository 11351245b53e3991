import type { AttemptStatus, CampaignRetry, CampaignStatus, CampaignWindow, ContactOutcome } from '@parley/contract';

/** Why a campaign is paused: at a client's request, or automatically. */
export type PausedReason =
  'requested' | 'failure_rate' | 'agent_inactive' | 'agent_not_found' | 'not_runnable' | 'number_released';

/** The settings that a client may change, in addition to name, agent, number and end time. */
export interface CampaignSettings {
  readonly window: CampaignWindow | null;
  readonly max_concurrent: number;
  readonly calls_per_minute: number;
  readonly retry: CampaignRetry | null;
  readonly pause_at_failure_percent: number | null;
  readonly metadata: Record<string, unknown>;
}

/** Contacts by status; `contacts` is the sum of the next five. */
export interface CampaignCounts {
  readonly contacts: number;
  readonly pending: number;
  /** Contacts whose attempt is being placed or was placed. */
  readonly live: number;
  /** Contacts whose attempt waits for capacity or, after its review, for a free line. */
  readonly waiting: number;
  readonly inReview: number;
  readonly completed: number;
  /** Calls placed, not counting withdrawn ones. */
  readonly attempts: number;
  readonly outcomes: Readonly<Partial<Record<ContactOutcome, number>>>;
}

/** A campaign as stored. */
export interface Campaign extends CampaignCounts {
  readonly campaignId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly agentId: string;
  readonly name: string;
  readonly from: string;
  readonly settings: CampaignSettings;
  readonly endsAt: Date | null;
  readonly status: CampaignStatus;
  readonly pausedReason: string | null;
  readonly endReason: string | null;
  readonly waitsFor: string | null;
  readonly revision: number;
  readonly progress: number;
  readonly resourceSeq: number;
  /** See books/organizations/velocity.rules.ts. */
  readonly recent: string;
  /** See breaker.rules.ts. */
  readonly lastAttempts: string;
  readonly nextRunAt: Date | null;
  readonly launchedAt: Date | null;
  readonly pausedAt: Date | null;
  readonly completedAt: Date | null;
  readonly canceledAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** One call to a contact. */
export interface Attempt {
  readonly attemptId: string;
  readonly campaignId: string;
  readonly contactId: string;
  readonly status: AttemptStatus;
  readonly readyAt: Date;
  readonly waitsFor: string | null;
  readonly callId: string | null;
  readonly outcome: ContactOutcome | null;
  readonly withdrawn: boolean;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/** Whether the campaign still has open calls or waiting attempts. */
export const hasOpenAttempts = ({ live, waiting, inReview }: CampaignCounts): boolean => live + waiting + inReview > 0;

/** Whether the campaign places no more calls. */
export const isOver = ({ status }: Campaign): boolean => status === 'completed' || status === 'canceled';

/** Whether the campaign's end time has passed, by the database's clock. */
export const isPastEnd = ({ endsAt }: Campaign, now: Date): boolean => endsAt !== null && endsAt <= now;
