import type { AgentForCall } from '@parley/proto/agents';
import { newId } from '@parley/runtime';
import type { Call } from './call.rules';

type Given = Pick<Call, 'direction' | 'from' | 'to' | 'status'> & Partial<Pick<Call, 'fromRaw' | 'channel'>>;

/** A new call of an agent, pinned to the agent's current configuration. */
export function callOfAgent(agent: AgentForCall, given: Given, at: Date): Call {
  return {
    ...blankCall(agent, given, at),
    mode: agent.mode,
    publicationVersion: agent.publicationVersion,
    publicationSha256: agent.publicationSha256,
    tuning: agent.tuning === undefined ? '{}' : agent.tuning.json.toString('utf8'),
    language: agent.language,
    recordingEnabled: agent.recordingEnabled,
    costMicrosPerMinute: Number(agent.costMicrosPerMinute),
  };
}

type Whose = Pick<Call, 'organizationId' | 'projectId' | 'agentId'>;

/** A call without pinned configuration, because it reached no agent. Empty ids are unknown. */
export function blankCall({ organizationId, projectId, agentId }: Whose, given: Given, at: Date): Call {
  return {
    callId: newId('call'),
    organizationId,
    projectId,
    agentId,
    channel: 'phone',
    fromRaw: null,
    ...given,
    synthetic: false,
    needs: [],
    calleeZone: null,
    carrier: null,
    simulatorPace: null,
    componentsSimulated: [],
    problems: '[]',
    transfers: '[]',
    cancelRequestedAt: null,
    erasedAt: null,
    resourceSeq: 1,
    endedReason: null,
    reasonDetail: null,
    policy: { verdict: 'allowed', rules: [] },
    mode: '',
    publicationVersion: 0,
    publicationSha256: '',
    tuning: '{}',
    language: '',
    recordingEnabled: false,
    costMicrosPerMinute: 0,
    classification: null,
    classificationDetail: null,
    answerDetection: null,
    mailboxProof: null,
    proofWithdrawnBy: null,
    navigation: null,
    variables: '{}',
    metadata: '{}',
    createdAt: at,
    scheduledAt: null,
    queuedAt: null,
    dialingAt: null,
    answeredAt: null,
    mediaStartedAt: null,
    endedAt: null,
    completedAt: null,
    failedAt: null,
    canceledAt: null,
    updatedAt: at,
    durationSeconds: null,
    costMicros: 0,
    holdMicros: null,
    holdDay: null,
  };
}
