import type { Call } from '../src/domain/call';

const createdAt = new Date('2026-03-01T12:00:00.000Z');

/** A queued call with whatever a test needs changed. */
export function callAs(change: Partial<Call> = {}): Call {
  return {
    callId: 'call_1',
    organizationId: 'org_1',
    projectId: 'prj_1',
    agentId: 'agt_1',
    mode: 'hosted',
    direction: 'outbound',
    from: '+14155550100',
    to: '+15005550006',
    status: 'queued',
    synthetic: false,
    resourceSeq: 2,
    endedReason: null,
    reasonDetail: null,
    policy: { verdict: 'allowed', rules: [] },
    publicationVersion: 1,
    publicationSha256: 'ab',
    tuning: '{}',
    language: 'en-US',
    recordingEnabled: false,
    costMicrosPerMinute: 0,
    classification: null,
    classificationDetail: null,
    variables: '{}',
    metadata: '{"order":7}',
    createdAt,
    scheduledAt: null,
    queuedAt: createdAt,
    dialingAt: null,
    answeredAt: null,
    mediaStartedAt: null,
    endedAt: null,
    completedAt: null,
    failedAt: null,
    canceledAt: null,
    updatedAt: createdAt,
    durationSeconds: null,
    costMicros: 0,
    holdMicros: null,
    holdDay: null,
    ...change,
  };
}
