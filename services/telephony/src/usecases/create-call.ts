import { CallCreate, validate } from '@parley/contract';
import { AppError, badRequest, conflict, notFound } from '@parley/errors';
import { recall, type CreatingRequest } from '@parley/idempotency';
import type { AgentForCall } from '@parley/proto/agents';
import { isId, newId, type OutgoingContext } from '@parley/runtime';
import { admitCall, readForAdmission, type AdmissionRead } from '../db/admission';
import type { Call } from '../domain/call';
import { eventOf, type CallEvent } from '../domain/call-event';
import { judgeDestination } from '../domain/outbound-policy';
import { callEtag, renderCall } from '../domain/render-call';
import { refuseSuspended } from './refuse-suspended';
import type { Telephony } from './telephony';

export interface CreateCallInput {
  /** Empty for an operator who named none: the agent's. */
  readonly organizationId: string;
  /** The parsed body. */
  readonly body: unknown;
  /** The idempotency of the request in an organization. */
  readonly request: (organizationId: string) => CreatingRequest;
}

export interface CreatedCall {
  /** JSON of CallRecord. */
  readonly body: string;
  readonly etag: string;
  readonly replayed: boolean;
  readonly ignored: readonly string[];
}

/** A remembered winner that cannot be read the moment after is a matter of pruning; three times it is a defect. */
const attempts = 3;

/**
 * Admits an outbound call (decisions section 5): the memory of the key, one question to agents outside any transaction, one
 * read, one write. Refusals in the order decided there. A call that policy refuses or holds is created all the same (201).
 */
export async function createCall(
  telephony: Telephony,
  input: CreateCallInput,
  context: OutgoingContext,
): Promise<CreatedCall> {
  const remembered = input.organizationId === '' ? undefined : await replay(telephony, input, input.organizationId);
  if (remembered !== undefined) return remembered;
  const { value: body, ignored } = validate(CallCreate, input.body, { unknown: 'ignore' });
  const agent = await agentFor(telephony, input.organizationId, body.agent_id, context);
  const { organizationId } = agent;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const earlier =
      input.organizationId === '' || attempt > 1 ? await replay(telephony, input, organizationId) : undefined;
    if (earlier !== undefined) return earlier;
    const created = await admit(telephony, input.request(organizationId), body, agent, context.traceparent);
    if (created !== undefined) return { ...created, replayed: false, ignored };
  }
  throw new Error('an Idempotency-Key is taken, and nothing is remembered under it');
}

async function replay(
  { db }: Telephony,
  { request }: CreateCallInput,
  organizationId: string,
): Promise<CreatedCall | undefined> {
  const remembered = await recall(db, request(organizationId));
  if (remembered === undefined) return undefined;
  const etag = `"${remembered.recordId ?? ''}"`;
  return { body: remembered.body, etag, replayed: true, ignored: [] };
}

async function agentFor(
  { agents, controls }: Telephony,
  organizationId: string,
  agentId: string,
  context: OutgoingContext,
): Promise<AgentForCall> {
  if (!isId('agt', agentId)) throw notFound('agent');
  const agent = await agents.getAgentForCall({ organizationId, agentId }, context);
  if (agent.status === 'inactive') throw conflict('the agent is inactive');
  await refuseSuspended(controls, agent);
  return agent;
}

/** Undefined: another request with the same key was first. */
async function admit(
  telephony: Telephony,
  request: CreatingRequest,
  body: CallCreate,
  agent: AgentForCall,
  traceparent: string | undefined,
): Promise<{ body: string; etag: string } | undefined> {
  const { db, settings } = telephony;
  const read = await readForAdmission(db, agent.organizationId, agent.projectId, body.from ?? '');
  const from = sendingNumber(read, body.from, agent.projectId);
  refuseBlocked(agent);
  const call = newCall(body, agent, from, read.now);
  const queued = call.status === 'queued';
  const rendered = renderCall(call);
  const outcome = await admitCall(db, {
    request,
    answer: { status: 201, body: rendered, recordId: call.callId },
    call,
    events: firstEvents(call, rendered),
    jobId: queued ? newId('job') : null,
    traceparent,
    defaultQueueCap: settings.queueCap,
  });
  if (outcome === 'remembered') return undefined;
  if (outcome === 'queue_full') throw queueFull(settings.queueFullRetrySeconds);
  telephony.committed(queued);
  return { body: rendered, etag: callEtag(call) };
}

/** `from` belongs to the agent's project; the project's only number when it is omitted. */
function sendingNumber(read: AdmissionRead, from: string | undefined, projectId: string): string {
  const [first, second] = read.numbers.filter((number) => number.projectId === projectId);
  if (first === undefined) {
    throw badRequest(
      from === undefined
        ? "from is required: the agent's project has no number"
        : "from is not a number of the agent's project",
    );
  }
  if (second !== undefined) throw badRequest("from is required: the agent's project has several numbers");
  return first.phoneNumber;
}

function refuseBlocked({ blockers }: AgentForCall): void {
  const reason = blockers[0]?.code;
  if (reason === undefined) return;
  throw new AppError('realtime_config_not_runnable', 'the agent cannot run a call', {
    fields: { reason, blockers: blockers.map(({ code, scope, detail }) => ({ code, scope, detail })) },
  });
}

function queueFull(retryAfterSeconds: number): AppError {
  return new AppError('outbound_call_queue_full', 'the outbound call queue is full', {
    fields: { retry_after_seconds: retryAfterSeconds },
  });
}

const statusOf = { allowed: 'queued', blocked: 'policy_blocked', review: 'needs_review' } as const;

/** The call as it is right after its admission: created, and queued where policy allows it. */
function newCall(body: CallCreate, agent: AgentForCall, from: string, now: Date): Call {
  const policy = judgeDestination(body.to);
  const status = statusOf[policy.verdict];
  return {
    callId: newId('call'),
    organizationId: agent.organizationId,
    projectId: agent.projectId,
    agentId: agent.agentId,
    direction: 'outbound',
    from,
    to: body.to,
    status,
    resourceSeq: status === 'queued' ? 2 : 1,
    endedReason: null,
    reasonDetail: null,
    policy,
    mode: agent.mode,
    publicationVersion: agent.publicationVersion,
    publicationSha256: agent.publicationSha256,
    tuning: agent.tuning === undefined ? '{}' : agent.tuning.json.toString('utf8'),
    language: body.language ?? agent.language,
    recordingEnabled: agent.recordingEnabled,
    costMicrosPerMinute: Number(agent.costMicrosPerMinute),
    classification: null,
    classificationDetail: null,
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
  };
}

/** call.created always; call.queued with it where the call waits to be dialled. Both tell of one and the same moment. */
function firstEvents(call: Call, rendered: string): CallEvent[] {
  const created = eventOf(newId('evt'), 'call.created', { ...call, resourceSeq: 1 }, rendered, call.createdAt);
  if (call.status !== 'queued') return [created];
  return [created, eventOf(newId('evt'), 'call.queued', call, rendered, call.createdAt)];
}
