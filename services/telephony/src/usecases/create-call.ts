import { CallCreate, validate } from '@parley/contract';
import { AppError, badRequest, conflict, notFound } from '@parley/errors';
import { recall, type CreatingRequest } from '@parley/idempotency';
import type { AgentForCall } from '@parley/proto/agents';
import { isId, newId, type OutgoingContext } from '@parley/runtime';
import { admitCall } from '../db/admission';
import { numbersRead, readForAdmission, type AdmissionRead } from '../db/admission-read';
import type { Call } from '../domain/call';
import { callEtag, renderCall } from '../domain/render-call';
import { firstEvents, newCall } from './new-call';
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
 * write. Refusals in the order decided there. A call that policy refuses or holds is created all the same (201).
 */
export async function createCall(
  telephony: Telephony,
  input: CreateCallInput,
  context: OutgoingContext,
): Promise<CreatedCall> {
  const { value: body, ignored } = validate(CallCreate, input.body, { unknown: 'ignore' });
  if (!isId('agt', body.agent_id)) throw notFound('agent');
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const created = await attemptCreation(telephony, input, body, context);
    if (created !== undefined) return { ...created, ignored };
  }
  throw new Error('an Idempotency-Key is taken, and nothing is remembered under it');
}

/** Undefined: another request with the same key was first, between our look and our write. */
async function attemptCreation(
  telephony: Telephony,
  input: CreateCallInput,
  body: CallCreate,
  context: OutgoingContext,
): Promise<Omit<CreatedCall, 'ignored'> | undefined> {
  const { agents, controls } = telephony;
  const look = (organizationId: string, projectId: string) => lookUp(telephony, input, body, organizationId, projectId);
  const early = input.organizationId === '' ? undefined : await look(input.organizationId, '');
  if (early?.replay !== undefined) return early.replay;
  const agent = await agents.getAgentForCall({ organizationId: input.organizationId, agentId: body.agent_id }, context);
  // An operator who named no organization learns it here; one with many numbers is asked for those of the project.
  const known = early === undefined || early.truncated ? await look(agent.organizationId, agent.projectId) : early;
  if (known.replay !== undefined) return known.replay;
  if (agent.status === 'inactive') throw conflict('the agent is inactive');
  await refuseSuspended(controls, agent);
  const from = sendingNumber(known.read, body.from, agent.projectId);
  refuseBlocked(agent);
  const call = newCall(body, agent, from, known.read.now);
  return admit(telephony, input.request(agent.organizationId), call, context.traceparent);
}

interface Look {
  readonly read: AdmissionRead;
  /** The earlier answer, where the key was used before. */
  readonly replay: Omit<CreatedCall, 'ignored'> | undefined;
  /** There are more numbers than were read. */
  readonly truncated: boolean;
}

async function lookUp(
  { db }: Telephony,
  input: CreateCallInput,
  body: CallCreate,
  organizationId: string,
  projectId: string,
): Promise<Look> {
  const request = input.request(organizationId);
  const { route, key } = request;
  const read = await readForAdmission(db, organizationId, { route, key, from: body.from ?? '', projectId });
  const remembered = read.remembered ? await recall(db, request) : undefined;
  const replay = remembered && { body: remembered.body, etag: `"${remembered.recordId ?? ''}"`, replayed: true };
  return { read, replay, truncated: read.numbers.length === numbersRead };
}

async function admit(
  telephony: Telephony,
  request: CreatingRequest,
  call: Call,
  traceparent: string | undefined,
): Promise<Omit<CreatedCall, 'ignored'> | undefined> {
  const { db, settings } = telephony;
  const queued = call.status === 'queued';
  const rendered = renderCall(call);
  const outcome = await admitCall(db, {
    request,
    call,
    rendered,
    events: firstEvents(call, rendered),
    jobId: queued ? newId('job') : null,
    traceparent,
    defaultQueueCap: settings.queueCap,
  });
  if (outcome === 'remembered') return undefined;
  if (outcome === 'queue_full') throw queueFull(settings.queueFullRetrySeconds);
  // A job for later is found by the queue's own look when its time comes.
  telephony.committed(queued && (call.scheduledAt === null || call.scheduledAt <= call.createdAt));
  return { body: rendered, etag: callEtag(call), replayed: false };
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
