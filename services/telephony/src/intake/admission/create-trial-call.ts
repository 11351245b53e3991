import type { TrialCallCreate, TrialOutcome } from '@parley/contract';
import { notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import {
  auditEvent,
  creating,
  findStoredResponse,
  type CreatingRequest,
  type PublicResult,
  type StoredResponse,
} from '@parley/service';
import type { AgentForCall } from '@parley/proto/agents';
import { databaseNow, isId, type OutgoingContext, type Queryable } from '@parley/runtime';
import {
  type Call,
  asDetected,
  beginCall,
  withFinding,
  advanceThrough,
  callEtag,
  renderCall,
  callOfAgent,
  recordSteps,
  refuseOtherProject,
} from '../../books';
import { trialNumber, trialStory } from './trial-call.rules';
import { keepArtifacts } from '../../dispatch';
import type { Telephony } from '../../telephony';

export interface CreateTrialCallInput {
  /** Empty for an operator that specified no organization: the agent's organization applies. */
  readonly organizationId: string;
  /** Validates the fields. */
  readonly body: () => TrialCallCreate;
  readonly request: (organizationId: string) => CreatingRequest;
}

/**
 * Creates a synthetic call record with all events from creation to end, in one transaction. No job is created, so no worker is involved; the call is free, and
 * caps and maintenance do not apply.
 * @throws BadRequestError for an unknown outcome; NotFoundError for the agent, or for a project that is not the agent's; ConflictError for a key with another
 * body
 */
export async function createTrialCall(
  telephony: Pick<Telephony, 'db' | 'agents' | 'onCommit'>,
  input: CreateTrialCallInput,
  context: OutgoingContext,
): Promise<PublicResult> {
  const { db, agents } = telephony;
  const { organizationId: named } = input;
  const early = named === '' ? undefined : await findStoredResponse(db, input.request(named));
  if (early !== undefined) return replayOf(early);
  const { agent_id: agentId, outcome, project_id: projectId = '' } = input.body();
  if (!isId('agt', agentId)) throw notFound('agent');
  const agent = await agents.getAgentForCall({ organizationId: named, agentId }, context);
  refuseOtherProject(agent, projectId);
  const { value, stored } = await creating(db, input.request(agent.organizationId), async (tx) => {
    const call = await writeTrial(tx, agent, outcome, context.traceparent);
    const { organizationId, callId, createdAt } = call;
    const act = {
      organizationId,
      action: 'trial_call.created',
      subject: callId,
      detail: { agent_id: agentId, outcome },
    };
    await append(tx, [auditEvent(act, createdAt, context)]);
    const body = renderCall(call);
    return { status: 201, body, recordId: call.callId, value: { body, etag: callEtag(call) } };
  });
  if (value === undefined) return replayOf(stored);
  telephony.onCommit(false);
  return value;
}

const replayOf = ({ body, recordId = '' }: StoredResponse): PublicResult => ({
  body,
  etag: `"${recordId}"`,
  replayed: true,
});

async function writeTrial(
  tx: Queryable,
  agent: AgentForCall,
  outcome: TrialOutcome,
  traceparent: string | undefined,
): Promise<Call> {
  const at = await databaseNow(tx);
  const { to, moves, found, transcript } = trialStory(outcome, agent.language, at);
  const given = { direction: 'outbound', from: trialNumber, to, status: 'queued' } as const;
  const made = { ...callOfAgent(agent, given, at), synthetic: true, costMicrosPerMinute: 0 };
  const first: Call = { ...made, resourceSeq: 2, queuedAt: at };
  await beginCall(tx, first, at, traceparent, ['call.created', 'call.queued']);
  const lived = await recordSteps(tx, first, advanceThrough(first, moves), at, traceparent);
  if (transcript === undefined) return lived;
  const checked = { ...lived, ...withFinding(lived, asDetected(lived, found)) };
  const over = await recordSteps(tx, lived, advanceThrough(checked, [['complete', { at }]]), at, traceparent);
  const artifacts = { transcript: JSON.stringify(transcript), recording: undefined };
  return recordSteps(tx, over, await keepArtifacts(tx, over, artifacts, at), at, traceparent);
}
