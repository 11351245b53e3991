import { callVariables, needsOnLine, type CallCreate, type CapsRule, type VariablesConfig } from '@parley/contract';
import { conflict, invalidField, notFound } from '@parley/errors';
import { findStoredResponse, type CreatingRequest } from '@parley/service';
import type { AgentForCall } from '@parley/proto/agents';
import { isId, jsonOf, type OutgoingContext } from '@parley/runtime';
import { type AdmissionSnapshot, callEtag, refuseOtherProject, refuseSuspended, sendingNumber } from '../../books';
import { isScheduled } from './scheduling.rules';
import { speaks } from './call-language.rules';
import type { Admitted, Intake } from './admission-batches';
import type { CallToPlace } from './new-call';
import { loadAdmissionSnapshot } from './admission-snapshots';
import { admissionError } from './admission-error';
import { decide, factsOfRequest, type Outbound, type Verdict } from '../../policy';
import { needsOfAgent, findPublication, refuseBlockers, requireWorkers, whyNotRunnable } from '../../dispatch';
import type { Network } from '../../network';
import type { Telephony } from '../../telephony';

type Needs = Pick<Telephony, 'db' | 'controls' | 'workers' | 'publications' | 'settings' | 'onCommit'> &
  Pick<Network, 'sip'> &
  Intake;

export interface CreateCallInput {
  /** Empty for an operator that specified no organization: the agent's organization applies. */
  readonly organizationId: string;
  /** The idempotency data of the request, given its organization. */
  readonly request: (organizationId: string) => CreatingRequest;
  /** The id of the key or of the campaign. */
  readonly placedBy: string;
}

export interface CreatedCall {
  /** JSON of CallRecord. */
  readonly body: string;
  readonly etag: string;
  readonly replayed: boolean;
}

/** A stored response may be deleted between its commit and our read; this many times in a row indicates a defect. */
const attempts = 5;

/**
 * Admits an outbound call (docs/reference/calls.md): looks up the idempotency key, requests the agent outside any transaction, and writes once; requests that
 * wait at the same time share each of these steps (ADR 0018). Refusals follow the order in that document. A call that policy refuses or holds for a review is
 * created nevertheless (201).
 */
export async function createCall(
  telephony: Needs,
  input: CreateCallInput,
  validated: () => CallCreate,
  context: OutgoingContext,
): Promise<CreatedCall> {
  let body: CallCreate;
  try {
    body = checkedBody(validated);
  } catch (error) {
    return replayInstead(telephony, input, error);
  }
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const settled = await attemptCreation(telephony, input, body, context);
    const created = 'outcome' in settled ? answer(telephony, settled) : settled;
    if (created !== undefined) return created;
  }
  throw new Error('an Idempotency-Key exists and its stored response is missing');
}

/** The admitted call, the earlier one with the same key, or the reason why there is no capacity. */
export type AdmittedCall = CreatedCall | Extract<Admitted, { outcome: 'refused' }>;

/**
 * The same admission for callers inside the platform. It distinguishes a call without capacity, which it returns, from an invalid one, which it throws.
 * @throws AppError if the agent, the number or the variables are invalid; WorkersAway
 */
export async function admitCall(
  telephony: Needs,
  input: CreateCallInput,
  body: CallToPlace,
  context: OutgoingContext,
): Promise<AdmittedCall> {
  // A campaign waits for workers itself; a single call waits in the queue.
  const waits = { forWorkers: true };
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const settled = await attemptCreation(telephony, input, body, context, waits);
    if (!('outcome' in settled)) return settled;
    if (settled.outcome === 'refused') return settled;
    const created = answer(telephony, settled);
    if (created !== undefined) return created;
  }
  throw new Error('an Idempotency-Key exists and its stored response is missing');
}

function checkedBody(validated: () => CallCreate): CallCreate {
  const body = validated();
  if (!isId('agt', body.agent_id)) throw notFound('agent');
  return body;
}

/** The idempotency key is checked before any other rule: an invalid body replays or conflicts if its key was already used. */
async function replayInstead(
  { db }: Pick<Telephony, 'db'>,
  input: CreateCallInput,
  error: unknown,
): Promise<CreatedCall> {
  const stored = await findStoredResponse(db, input.request(input.organizationId));
  if (stored === undefined) throw error;
  return replayOf(stored);
}

/** A stored response, or the result of admission. */
async function attemptCreation(
  telephony: Needs,
  input: CreateCallInput,
  body: CallToPlace,
  context: OutgoingContext,
  waits = { forWorkers: false },
): Promise<CreatedCall | Admitted> {
  const { admission, controls, db } = telephony;
  const loadSnapshot = (organizationId: string, agentId?: string) => {
    const request = input.request(organizationId);
    return loadAdmissionSnapshot(
      db,
      admission.snapshots,
      { request, from: body.from, to: body.to, agentId, context },
      replayOf,
    );
  };
  const early = input.organizationId === '' ? undefined : await loadSnapshot(input.organizationId, body.agent_id);
  if (early?.replay !== undefined) return early.replay;
  const agentSnapshot = await (early?.agentSnapshot ?? admission.ask('', body.agent_id, context));
  const { agent } = agentSnapshot;
  // If an operator specified no organization, the agent's is known only here.
  const known = early ?? (await loadSnapshot(agent.organizationId));
  if (known.replay !== undefined) return known.replay;
  refuseOtherProject(agent, body.project_id ?? '');
  const later = isScheduled(body.scheduled_at, known.snapshot.now);
  if (!later && agent.status === 'inactive') throw conflict('the agent is inactive');
  await refuseSuspended(controls, agent);
  const from = await sendingNumber(db, known.snapshot, body.from, agent);
  await refuseLanguage(telephony, agent, body.language, context);
  const variables = callVariablesOf(agent, body.variables ?? {});
  const needs = later
    ? []
    : needsOnLine(await needsOfAgent(telephony, agentSnapshot, body.language, context), from.provider);
  if (!later) {
    const { dialer, phoneNumber } = from;
    const found = await whyNotRunnable(telephony, agent.organizationId, dialer, needs, phoneNumber);
    refuseBlockers([...agent.blockers, ...found]);
    if (waits.forWorkers) await requireWorkers(telephony, agent.organizationId, from.dialer, needs);
  }
  const verdict = later ? verdictBeforeDue(body, known.snapshot) : verdictOf(body, known.snapshot);
  const judgedLater = later && verdict.policy.verdict === 'allowed';
  return admission.batches.submit(agent.organizationId, {
    request: input.request(agent.organizationId),
    // A scheduled call stores the body as sent: defaults are applied when it is due.
    body: judgedLater ? body : { ...body, variables },
    agentSnapshot,
    from,
    needs,
    snapshot: known.snapshot,
    later: judgedLater,
    ...verdict,
    placedBy: input.placedBy,
    traceparent: context.traceparent,
    signal: context.signal,
  });
}

/** The decision about a scheduled call: what is never dialed is refused at once, and everything else is judged when it is due. */
function verdictBeforeDue(body: Outbound, snapshot: AdmissionSnapshot) {
  const { policy } = decide({ ...factsOfRequest('call', body, snapshot), rules: {} });
  return { policy, suppressed: false, caps: undefined };
}

/**
 * Evaluates the rules of the platform and the organization's own rules, as of now. Its caps are returned unevaluated: only the batch knows how much of them is
 * used.
 */
export function verdictOf(
  body: Outbound,
  snapshot: AdmissionSnapshot,
): Pick<Verdict, 'policy' | 'suppressed'> & { readonly caps: CapsRule | undefined } {
  const facts = factsOfRequest('call', body, snapshot);
  const { policy, suppressed } = decide(facts);
  return { policy, suppressed, caps: facts.rules.caps ?? undefined };
}

const replayOf = ({ body, recordId }: { body: string; recordId?: string }): CreatedCall => ({
  body,
  etag: `"${recordId ?? ''}"`,
  replayed: true,
});

/** Undefined: a concurrent request with the same key was written between our read and our write. */
function answer(telephony: Needs, admitted: Admitted): CreatedCall | undefined {
  if (admitted.outcome === 'key_taken') return undefined;
  if (admitted.outcome === 'refused') {
    throw admissionError(admitted.refusal, admitted.drainPerSecond, telephony.settings.queueFullRetrySeconds);
  }
  const { call, rendered, replayed } = admitted;
  if (!replayed) telephony.onCommit(call.status === 'queued');
  return { body: rendered, etag: replayed ? `"${call.callId}"` : callEtag(call), replayed };
}

/** @throws BadRequestError naming language */
async function refuseLanguage(
  telephony: Pick<Telephony, 'publications'>,
  agent: AgentForCall,
  language: string | undefined,
  context: OutgoingContext,
): Promise<void> {
  if (language === undefined) return;
  const publication = await findPublication(telephony, agent, context);
  if (publication === undefined || speaks(publication, language)) return;
  throw invalidField('language', 'not_allowed', "must be one of the publication's languages, or a form of one");
}

/** The variables of the call: validated against the agent's declarations, with defaults applied. @throws BadRequestError */
export function callVariablesOf(
  { variables }: Pick<AgentForCall, 'variables'>,
  sent: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return variables === undefined ? sent : callVariables(jsonOf<VariablesConfig>(variables), sent);
}
