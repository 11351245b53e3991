import { simulatedComponents, type CallCreate } from '@parley/contract';
import { newId } from '@parley/runtime';
import {
  type SendingNumber,
  type Call,
  type CallStatus,
  type PolicyDecision,
  eventOf,
  type CallEvent,
} from '../../books';
import type { AgentSnapshot } from '../../dispatch';
import type { Outbound } from '../../policy';

/** A request for a call, with what only a campaign knows. */
export type CallToPlace = CallCreate & Pick<Outbound, 'timeZone'>;

export interface NewCall {
  readonly body: CallToPlace;
  readonly agentSnapshot: AgentSnapshot;
  readonly from: SendingNumber;
  /** Capabilities that a worker needs to conduct it. */
  readonly needs: readonly string[];
  readonly policy: PolicyDecision;
}

/** The configuration to which a call is pinned; a scheduled call is pinned only when it is due. */
export function pinsOf({ agent, tuning }: Pick<AgentSnapshot, 'agent' | 'tuning'>, later: boolean) {
  const { recordingEnabled } = agent;
  if (later) {
    return {
      mode: '',
      publicationVersion: 0,
      publicationSha256: '',
      tuning: '{}',
      recordingEnabled,
      costMicrosPerMinute: 0,
    };
  }
  const { mode, publicationVersion, publicationSha256 } = agent;
  const costMicrosPerMinute = Number(agent.costMicrosPerMinute);
  return { mode, publicationVersion, publicationSha256, tuning, recordingEnabled, costMicrosPerMinute };
}

/** The call fields determined by the caller number. */
export const lineOf = ({ provider, simulatorPace }: SendingNumber) => ({
  carrier: provider,
  simulatorPace: provider === 'simulator' ? simulatorPace : null,
});

export interface Granted {
  readonly status: CallStatus;
  /** Null for a call that reserves nothing, or nothing yet. */
  readonly holdMicros: number | null;
}

/** The call right after its admission, with the status that admission decided. */
export function newCall(
  { body, agentSnapshot, from, needs, policy }: NewCall,
  { status, holdMicros }: Granted,
  now: Date,
): Call {
  const { agent } = agentSnapshot;
  return {
    callId: newId('call'),
    organizationId: agent.organizationId,
    projectId: agent.projectId,
    agentId: agent.agentId,
    direction: 'outbound',
    channel: 'phone',
    from: from.phoneNumber,
    fromRaw: null,
    to: body.to,
    status,
    synthetic: false,
    needs,
    calleeZone: body.timeZone ?? null,
    ...lineOf(from),
    componentsSimulated: simulatedComponents(needs),
    problems: '[]',
    transfers: '[]',
    cancelRequestedAt: null,
    erasedAt: null,
    resourceSeq: status === 'queued' ? 2 : 1,
    endedReason: null,
    reasonDetail: null,
    policy,
    ...pinsOf(agentSnapshot, status === 'scheduled'),
    language: body.language ?? agent.language,
    classification: null,
    classificationDetail: null,
    answerDetection: null,
    mailboxProof: null,
    proofWithdrawnBy: null,
    navigation: null,
    variables: JSON.stringify(body.variables ?? {}),
    metadata: JSON.stringify(body.metadata ?? {}),
    createdAt: now,
    scheduledAt: body.scheduled_at === undefined ? null : new Date(body.scheduled_at),
    queuedAt: status === 'queued' ? now : null,
    dialingAt: null,
    answeredAt: null,
    mediaStartedAt: null,
    endedAt: null,
    completedAt: null,
    failedAt: null,
    canceledAt: null,
    updatedAt: now,
    durationSeconds: null,
    costMicros: 0,
    holdMicros,
    holdDay: holdMicros === null ? null : now.toISOString().slice(0, 10),
  };
}

/** Always call.created; also call.queued, with the same time, if the call waits to be dialed. */
export function firstEvents(call: Call, rendered: string): CallEvent[] {
  const created = eventOf(newId('evt'), 'call.created', { ...call, resourceSeq: 1 }, rendered, call.createdAt);
  if (call.status !== 'queued') return [created];
  return [created, eventOf(newId('evt'), 'call.queued', call, rendered, call.createdAt)];
}
