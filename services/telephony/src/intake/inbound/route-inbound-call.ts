import { needsOnLine, simulatedComponents, type CallTuning } from '@parley/contract';
import { AppError, conflict, notFound } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';
import { databaseNow, jsonOf, serviceCaller, type OutgoingContext, type Queryable } from '@parley/runtime';
import { openIncomingLine } from '../../lines';
import {
  advanceThrough,
  beginCall,
  blankCall,
  type Call,
  callOfAgent,
  findCall,
  holdOf,
  loadOrCreateState,
  lockCounters,
  recordSteps,
  startCall,
  type StateChange,
} from '../../books';
import { findInboundCall, nameInboundCall } from './inbound-calls.sql';
import { holderOfNumber, type Caller, type HeldNumber, type Network } from '../../network';
import { admitBatch } from '../admission/admit-batch.rules';
import { refusalForRoom, refusalOf, type InboundRefusal } from './inbound.rules';
import { switchToDraft } from './draft-by-pin';
import { needsOfAgent, whyNotRunnable } from '../../dispatch';
import type { Telephony } from '../../telephony';

type Needs = Pick<
  Telephony,
  'db' | 'agents' | 'controls' | 'workers' | 'publications' | 'settings' | 'openOrganization' | 'onCommit'
> &
  Pick<Network, 'sip'>;

export interface InboundInput extends Caller {
  /** The gateway's organization; empty for the hosted gateway: the organization of the dialed number applies. */
  readonly organizationId: string;
  readonly to: string;
  readonly gatewayCallId: string;
  /** The PIN that selects the draft of the agent's workflow; undefined: the published one. */
  readonly pin?: string | undefined;
  /** The id of the gateway's key. */
  readonly holder: string;
  /** The router of the call; see `inbound-router.rules.ts`. */
  readonly router: string;
  /** No media endpoint is configured, so the line cannot be connected. */
  readonly unreachable?: boolean;
  /** Set for a carrier's line whose call a worker adopts. */
  readonly line?: { readonly provider: string; readonly accountSid: string; readonly carrierCallId: string };
}

/** How long an incoming call may ring before its gateway is considered dead. */
const ringSeconds = 120;

/** A concurrent request may insert the same gateway_call_id between our read and our write; the retry then returns its call. */
const attempts = 3;

/**
 * Registers an incoming call. Every call gets a record, which contains the reason if it is not answered; a repeated gateway_call_id gets the same record. For a
 * call to be answered, its maximum cost is reserved, within the organization's limits and wallet, until it is over. During maintenance the call fails
 * unanswered and is free (docs/reference/maintenance.md).
 * @throws NotFoundError if no organization is specified and no number of the hosted gateway matches; ConflictError for a gateway_call_id used for other
 * numbers; those of `switchToDraft`
 */
export async function routeInboundCall(telephony: Needs, input: InboundInput, context: OutgoingContext): Promise<Call> {
  const hosted = input.organizationId === '';
  const number = await holderOfNumber(telephony.db, input.to, hosted ? 'any' : [input.organizationId]);
  // The hosted gateway does not answer numbers for which an organization dials with its own workers.
  if (hosted && number?.dialer !== 'hosted') throw notFound('number');
  const organizationId = number?.organizationId ?? input.organizationId;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const known = await findInboundCall(telephony.db, organizationId, input.router, input.gatewayCallId);
    if (known !== undefined) return earlierCall(telephony, organizationId, known, input);
    const { pin, to } = input;
    const answering = await resolveAgent(telephony, organizationId, number, context);
    const opens = answering !== undefined && pin !== undefined;
    const agent = opens ? await switchToDraft(telephony, answering, { to, pin }, context) : answering;
    const worked = await resolveWork(telephony, { organizationId, agent, line: input.line }, context);
    const unreachable = input.unreachable === true || worked.missing === 'carrier';
    const runnable = agent?.blockers.length === 0 && worked.missing !== 'other';
    const refusal = await checkInbound(telephony, { organizationId, number, agent, unreachable, runnable });
    if (refusal === undefined) await loadOrCreateState(telephony, organizationId);
    const call = await telephony.db.transaction((tx) =>
      writeCall(
        tx,
        telephony,
        { organizationId, number, agent, refusal, input, needs: worked.needs },
        context.traceparent,
      ),
    );
    if (call === undefined) continue;
    telephony.onCommit(false);
    return call;
  }
  throw new Error('a gateway_call_id is in use, but no call has it');
}

async function earlierCall(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  callId: string,
  { to, from, fromRaw }: InboundInput,
): Promise<Call> {
  const call = await findCall(db, organizationId, callId);
  if (call === undefined) throw new Error(`incoming call ${callId} no longer exists`);
  if (call.to !== to || call.from !== from || call.fromRaw !== fromRaw)
    throw conflict('gateway_call_id was used for another call');
  return call;
}

async function resolveAgent(
  { agents }: Pick<Telephony, 'agents'>,
  organizationId: string,
  number: HeldNumber | undefined,
  context: OutgoingContext,
): Promise<AgentForCall | undefined> {
  if (number === undefined || number.inboundAgentId === null) return undefined;
  try {
    // Called on behalf of the service, because the number determines the agent, and the hosted gateway belongs to no organization.
    const asking = { ...context, caller: serviceCaller };
    return await agents.getAgentForCall({ organizationId, agentId: number.inboundAgentId }, asking);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NotFoundError') return undefined;
    throw error;
  }
}

interface Work {
  readonly needs: readonly string[];
  /** Which kind of requirement no present worker satisfies. */
  readonly missing?: 'carrier' | 'other';
}

/** The capabilities that a worker needs for a carrier's line, and whether such a worker is present. */
async function resolveWork(
  telephony: Needs,
  { organizationId, agent, line }: Pick<CheckedCall, 'organizationId' | 'agent'> & Pick<InboundInput, 'line'>,
  context: OutgoingContext,
): Promise<Work> {
  if (agent === undefined || line === undefined || agent.blockers.length > 0) return { needs: [] };
  const { tools = [], workflow }: Partial<CallTuning> = agent.tuning === undefined ? {} : jsonOf(agent.tuning);
  const needs = needsOnLine(
    await needsOfAgent(telephony, { agent, tools, workflow }, undefined, context),
    line.provider,
  );
  const [blocker] = await whyNotRunnable(telephony, organizationId, 'hosted', needs);
  if (blocker === undefined) return { needs };
  return { needs, missing: blocker.scope === 'carrier' ? 'carrier' : 'other' };
}

/** If the control state is not current, it is requested from auth first, so that no call is answered on outdated data. */
async function checkInbound(
  { controls }: Pick<Telephony, 'controls'>,
  { organizationId, number, agent, unreachable, runnable }: Facts,
): Promise<InboundRefusal | undefined> {
  if (!controls.trusted()) await controls.refreshed();
  const agentSuspended = agent !== undefined && controls.isSuspendedAgent(agent.agentId);
  return refusalOf({
    numberIsOurs: number !== undefined,
    maintenance: controls.maintenance().active,
    suspended: controls.isSuspendedOrganization(organizationId) || agentSuspended,
    agent: agent && { status: agent.status, runnable },
    unreachable,
  });
}

type Facts = Omit<CheckedCall, 'refusal' | 'input' | 'needs'> & {
  readonly unreachable: boolean;
  readonly runnable: boolean;
};

interface CheckedCall {
  readonly organizationId: string;
  readonly number: HeldNumber | undefined;
  readonly agent: AgentForCall | undefined;
  readonly refusal: InboundRefusal | undefined;
  readonly input: InboundInput;
  /** Capabilities required of the worker that adopts the call; empty for a media gateway's call. */
  readonly needs: readonly string[];
}

/** Undefined: a concurrent request with the same gateway_call_id was written first. */
async function writeCall(
  tx: Queryable,
  { settings }: Pick<Telephony, 'settings'>,
  checked: CheckedCall,
  traceparent: string | undefined,
): Promise<Call | undefined> {
  const { organizationId, number, agent, input, needs } = checked;
  const at = await databaseNow(tx);
  const { to, from, fromRaw } = input;
  const given = { direction: 'inbound', from, fromRaw, to, status: 'dialing' } as const;
  const whose = { organizationId, projectId: number?.projectId ?? '', agentId: number?.inboundAgentId ?? '' };
  const answered = agent !== undefined && checked.refusal === undefined;
  const pace = number?.provider === 'simulator' ? number.simulatorPace : null;
  const simulated = { needs: [...needs], componentsSimulated: simulatedComponents(needs) };
  const line = { carrier: number?.provider ?? null, simulatorPace: pace, ...(needs.length > 0 && simulated) };
  const wanted = { ...(answered ? callOfAgent(agent, given, at) : blankCall(whose, given, at)), ...line };
  if (!(await nameInboundCall(tx, organizationId, input.router, input.gatewayCallId, wanted.callId))) return undefined;
  const room = answered ? await findRoom(tx, wanted) : undefined;
  if (room !== undefined && 'change' in room && checked.refusal === undefined) {
    const started = { call: room.call, at, change: room.change, job: jobOf(input) };
    const jobId = await startCall(tx, started, traceparent);
    if (input.line !== undefined) {
      const opened = { callId: wanted.callId, jobId, ...input.line, ringSeconds: settings.ringSeconds };
      await openIncomingLine(tx, organizationId, opened);
    }
    return room.call;
  }
  const endedReason = checked.refusal ?? (room as { readonly refusal: InboundRefusal }).refusal;
  const call = { ...blankCall(whose, given, at), ...line, callId: wanted.callId };
  await beginCall(tx, call, at, traceparent);
  return recordSteps(tx, call, advanceThrough(call, [['fail', { at, endedReason }]]), at, traceparent);
}

/** A media gateway already conducts the call; a carrier's line is given to a worker with a free slot. */
const jobOf = ({ line, holder }: InboundInput) =>
  line === undefined ? { holder, leaseSeconds: ringSeconds } : ('stream' as const);

/** Decides on the maximum cost of the call. The counter row stays locked until the commit; the statements that follow only insert rows of this call. */
async function findRoom(
  tx: Queryable,
  call: Call,
): Promise<{ readonly call: Call; readonly change: StateChange } | { readonly refusal: InboundRefusal }> {
  const locked = await lockCounters(tx, call.organizationId);
  if (locked === undefined) throw new Error('the counter row was not opened');
  const holdMicros = holdOf(JSON.parse(call.tuning) as CallTuning, call.costMicrosPerMinute);
  const request = { suppressed: false, holdMicros, policy: call.policy, incoming: true };
  const { decisions, change } = admitBatch(locked.state, [request], locked.now, 0);
  const [decision] = decisions;
  if (decision === undefined) throw new Error('an incoming call was not decided');
  if (!decision.admitted) return { refusal: refusalForRoom(decision.refusal) };
  return { call: { ...call, holdMicros, holdDay: change.spendDay }, change };
}
