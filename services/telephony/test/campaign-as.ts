import type { Attempt, Campaign } from '../src/campaigns/campaign.rules';

const createdAt = new Date('2026-03-01T12:00:00.000Z');

/** A running campaign, with the fields that a test changes. */
export function campaignAs(change: Partial<Campaign> = {}): Campaign {
  return {
    campaignId: 'cmp_1',
    organizationId: 'org_1',
    projectId: 'prj_1',
    agentId: 'agt_1',
    name: 'Spring',
    from: '+14155550100',
    settings: {
      window: null,
      max_concurrent: 10,
      calls_per_minute: 60,
      retry: null,
      pause_at_failure_percent: 80,
      metadata: {},
    },
    endsAt: null,
    status: 'running',
    pausedReason: null,
    endReason: null,
    waitsFor: null,
    revision: 1,
    progress: 0,
    resourceSeq: 1,
    contacts: 1,
    pending: 0,
    live: 1,
    waiting: 0,
    inReview: 0,
    completed: 0,
    attempts: 1,
    outcomes: {},
    recent: '',
    lastAttempts: '',
    nextRunAt: null,
    launchedAt: createdAt,
    pausedAt: null,
    completedAt: null,
    canceledAt: null,
    createdAt,
    updatedAt: createdAt,
    ...change,
  };
}

/** A placed attempt, with the fields that a test changes. */
export function attemptAs(change: Partial<Attempt> = {}): Attempt {
  return {
    attemptId: 'att_1',
    campaignId: 'cmp_1',
    contactId: 'ctc_1',
    status: 'placed',
    readyAt: createdAt,
    waitsFor: null,
    callId: 'call_1',
    outcome: null,
    withdrawn: false,
    createdAt,
    completedAt: null,
    ...change,
  };
}
