import { needsOnLine, simulatedComponents, type EndedReason, type ProblemCode } from '@parley/contract';
import { AppError } from '@parley/errors';
import { newTraceparent, serviceCaller, type Logger, type OutgoingContext } from '@parley/runtime';
import { randomUUID } from 'node:crypto';
import {
  type AdmissionSnapshot,
  type Call,
  findCall,
  readAdmissionSnapshot,
  restSeconds,
  type SendingNumber,
} from '../../books';
import type { DueCall } from './due-calls.cross-tenant.sql';
import { deleteScheduled, recheckLater, postponeForRoom } from './scheduled-calls.sql';
import { longestWaitSeconds } from './scheduling.rules';
import { speaks } from './call-language.rules';
import { type AgentSnapshot, needsOfAgent, findPublication, whyNotRunnable } from '../../dispatch';
import { callVariablesOf, verdictOf } from './create-call';
import { lineOf, pinsOf } from './new-call';
import { failScheduled, NoRoom, queueScheduled, type Failure, type Pinned } from './settle-scheduled';
import type { Intake } from './admission-batches';
import type { Network } from '../../network';
import type { Telephony } from '../../telephony';

type Needs = Pick<
  Telephony,
  'db' | 'controls' | 'workers' | 'publications' | 'settings' | 'openOrganization' | 'onCommit'
> &
  Pick<Network, 'sip'> &
  Intake;

/** Another process may take a call after this time if the process that took it has not settled it. */
export const checkingSeconds = 30;
const deadlineMs = 10_000;
/** Retry delay of calls that found no capacity. */
const roomSeconds = 5;

/**
 * Settles a scheduled call that is due by the rules for a call placed now (docs/reference/calls.md): with the current agent, configuration, policy, caps and
 * wallet. The call waits for at most an hour if its organization or agent is suspended, a cap is reached, or the queue is full. Never rejects.
 */
export async function checkScheduled(telephony: Needs, due: DueCall, log: Logger): Promise<void> {
  const { db } = telephony;
  const { organizationId, callId } = due;
  const context: OutgoingContext = {
    caller: serviceCaller,
    requestId: randomUUID(),
    traceparent: due.traceparent ?? newTraceparent(),
    signal: AbortSignal.timeout(deadlineMs),
  };
  try {
    const call = await findCall(db, organizationId, callId);
    if (call?.status !== 'scheduled') {
      await deleteScheduled(db, organizationId, callId);
      return;
    }
    const verdict = await verdictOn(telephony, due, call, context);
    if ('failure' in verdict) await failScheduled(telephony, due, verdict.failure, context);
    else await queueScheduled(telephony, due, verdict, context);
  } catch (error) {
    await afterwards(telephony, due, error, context).catch((second: unknown) =>
      log.warn({ err: second, call_id: callId }, 'a scheduled call is checked again later'),
    );
    if (!(error instanceof NoRoom)) log.warn({ err: error, call_id: callId }, 'a scheduled call cannot be checked now');
  }
}

/** A call without capacity waits, or fails if it has waited too long. If a dependency was unavailable, the call is retried. */
async function afterwards(telephony: Needs, due: DueCall, error: unknown, context: OutgoingContext): Promise<void> {
  const { db } = telephony;
  const { organizationId, callId } = due;
  if (!(error instanceof NoRoom)) return recheckLater(db, due, restSeconds);
  const call = await findCall(db, organizationId, callId);
  if (call === undefined) return;
  const { failure, ofAgent, mayWait } = error;
  if (!mayWait || due.waitedSeconds >= longestWaitSeconds) return failScheduled(telephony, due, failure, context);
  const wait = { agentId: ofAgent ? call.agentId : '', seconds: roomSeconds, longestWaitSeconds };
  await postponeForRoom(db, due, wait);
}

/** @throws NoRoom if the organization or its agent is suspended; AppError internal_error if a dependency is unavailable */
async function verdictOn(
  telephony: Needs,
  due: DueCall,
  call: Call,
  context: OutgoingContext,
): Promise<Pinned | { readonly failure: Failure }> {
  const { organizationId, agentId, from: number, to } = call;
  const agentSnapshot = await unlessGone(telephony.admission.ask(organizationId, agentId, context));
  if (agentSnapshot === undefined) return failed('configuration_unavailable');
  const { agent } = agentSnapshot;
  if (agent.status === 'inactive') return failed('agent_inactive');
  await refuseSuspension(telephony, call, agent.status);
  const snapshot = await readAdmissionSnapshot(telephony.db, organizationId, { from: [number], to: [to] });
  const from = snapshot.named.find(({ projectId }) => projectId === agent.projectId);
  if (from === undefined) return failed('number_not_in_workspace');
  const needs = needsOnLine(await needsOfAgent(telephony, agentSnapshot, due.language, context), from.provider);
  const found = await whyNotRunnable(telephony, organizationId, from.dialer, needs, number);
  const blockers = [...agent.blockers, ...found];
  const language = await languageProblem(telephony, due, agentSnapshot, context);
  const { variables, problem } = variablesOf(agentSnapshot, call);
  const problems = [...blockers, ...language, ...problem].map(({ code, detail }) => ({
    code: code as ProblemCode,
    detail,
  }));
  if (problems.length > 0) return failed('configuration_not_runnable', problems);
  return pinned({ due, call, agentSnapshot, from, needs, variables, snapshot });
}

interface Runnable {
  readonly due: DueCall;
  readonly call: Call;
  readonly agentSnapshot: AgentSnapshot;
  readonly from: SendingNumber;
  readonly needs: readonly string[];
  readonly variables: string;
  readonly snapshot: AdmissionSnapshot;
}

function pinned({ due, call, agentSnapshot, from, needs, variables, snapshot }: Runnable): Pinned {
  const { policy, suppressed, caps } = verdictOf({ to: call.to, consent: due.consent }, snapshot);
  return {
    call: {
      ...call,
      ...pinsOf(agentSnapshot, false),
      ...lineOf(from),
      needs,
      componentsSimulated: simulatedComponents(needs),
      language: due.language ?? agentSnapshot.agent.language,
      variables,
      policy,
    },
    suppressed,
    holdMicros: agentSnapshot.holdMicros,
    caps,
    mayWait: due.waitedSeconds < longestWaitSeconds,
  };
}

const failed = (endedReason: EndedReason, problems: Failure['problems'] = []): { failure: Failure } => ({
  failure: { endedReason, problems },
});

/** @throws NoRoom */
async function refuseSuspension(
  { controls }: Pick<Telephony, 'controls'>,
  { organizationId, agentId }: Call,
  agentStatus: string,
): Promise<void> {
  if (!controls.trusted()) await controls.refreshed();
  const failure: Failure = { endedReason: 'suspended', problems: [] };
  if (controls.isSuspendedOrganization(organizationId)) throw new NoRoom(failure, { mayWait: true });
  if (agentStatus === 'suspended' || controls.isSuspendedAgent(agentId)) {
    throw new NoRoom(failure, { mayWait: true, ofAgent: true });
  }
}

async function languageProblem(
  telephony: Pick<Telephony, 'publications'>,
  { language }: DueCall,
  { agent }: AgentSnapshot,
  context: OutgoingContext,
): Promise<{ code: string; detail: string }[]> {
  if (language === undefined) return [];
  const publication = await findPublication(telephony, agent, context);
  if (publication === undefined || speaks(publication, language)) return [];
  return [{ code: 'language_not_published', detail: `the publication has no language for ${language}` }];
}

/** The variables as sent, with the current defaults; a problem instead if the agent's declarations have changed incompatibly. */
function variablesOf({ agent }: AgentSnapshot, call: Call) {
  try {
    const sent = JSON.parse(call.variables) as Record<string, unknown>;
    return { variables: JSON.stringify(callVariablesOf(agent, sent)), problem: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 400) throw error;
    return { variables: call.variables, problem: [{ code: 'variables_invalid', detail: error.message }] };
  }
}

async function unlessGone<Value>(asking: Promise<Value>): Promise<Value | undefined> {
  return asking.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NotFoundError') return undefined;
    throw error;
  });
}
