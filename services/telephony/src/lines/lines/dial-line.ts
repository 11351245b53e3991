import { isAccountCarrier, isReasonDetail, type EndedReason } from '@parley/contract';
import { AppError } from '@parley/errors';
import {
  newTraceparent,
  serviceCaller,
  systemClock,
  type Logger,
  type OutgoingContext,
  type Queryable,
} from '@parley/runtime';
import { randomUUID } from 'node:crypto';
import {
  type CarrierAccount,
  type CarrierLines,
  type OrderOutcome,
  nextUrlOf,
  statusUrlOf,
  streamUrlOf,
  type Network,
  openLineAccount,
} from '../../network';
import { insertLine } from './carrier-lines.sql';
import {
  advanceThrough,
  type Call,
  type ClaimedJob,
  endCall,
  failClaimed,
  type HeldJob,
  lockJobAndCall,
  makeAdoptable,
  recordSteps,
  releaseJob,
  restSeconds,
  returnToQueue,
} from '../../books';
import { dialedJustNow, freeSlots, lockSlots } from './line-slots.cross-tenant.sql';
import { recheckControls, againstDialing } from '../../dispatch';
import type { Telephony } from '../../telephony';
import { changeLine, failLine, lockHeldLine, type LineFailure } from './held-line';

type Needs = Pick<
  Telephony,
  'db' | 'agents' | 'controls' | 'vault' | 'publications' | 'settings' | 'onCommit' | 'linesDue'
> &
  Network;

/** How long a token remains valid after the ringing time. */
const tokenGraceSeconds = 60;
/** A process that stalled for longer than this after its permit does not dial, because the line may have been given up in the meantime. */
const permitMs = 5_000;
/** How long to wait for the carrier's response to the order before its state is queried at the carrier. */
const orderSeconds = 20;
/** Retry delay if no slot is free, or if the account or the organization has used up its calls of this second. */
const fullSeconds = 0.5;
/** The longest call plus its setup and teardown: the carrier ends the call after it. */
const longestSeconds = 1_800;

/**
 * Places the call of a claimed job through the organization's carrier account (ADR 30). The permit, the reservation of a worker's slot and the token for
 * adoption are committed before the request to the carrier; after that commit the call is never placed again.
 */
export async function dialLine(telephony: Needs, claimed: ClaimedJob, log: Logger): Promise<void> {
  const { call } = claimed;
  const context = { caller: serviceCaller, requestId: randomUUID(), traceparent: newTraceparent() };
  const against = await againstAgent(telephony, call, context).catch((error: unknown) => {
    log.warn({ err: error, call_id: call.callId }, 'a call cannot be placed now');
    return 'waits' as const;
  });
  if (against === 'waits') return releaseJob(telephony, claimed, restSeconds);
  if (against !== undefined) return failClaimed(telephony, claimed, against);
  const provider = call.carrier ?? '';
  const placing = await openLineAccount(telephony, call);
  if (placing === undefined) return failClaimed(telephony, claimed, 'configuration_unavailable');
  const { lines, account } = placing;
  const begunMs = systemClock.monotonicMs();
  const token = await permit(telephony, claimed, { provider, account }, context);
  if (token === undefined) return;
  const late = systemClock.monotonicMs() - begunMs > permitMs;
  const outcome: OrderOutcome = late
    ? { outcome: 'refused', code: 'not_dialed', detail: 'the process was stopped for too long to dial' }
    : await place(telephony, lines, call, account, token);
  await noteOrder(telephony, call, outcome, context);
  log.info({ call_id: call.callId, outcome: outcome.outcome }, 'a call was placed at its carrier');
}

/** Why a call must not be placed, given the current state of its agent and its publication. */
async function againstAgent(
  { agents, publications }: Needs,
  { organizationId, agentId, publicationSha256 }: Call,
  context: OutgoingContext,
): Promise<EndedReason | undefined> {
  try {
    const { status } = await agents.getAgentForCall({ organizationId, agentId }, context);
    if (status === 'inactive') return 'agent_inactive';
    await publications.loadFacts(organizationId, publicationSha256, context);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NotFoundError') return 'configuration_unavailable';
    throw error;
  }
}

interface Placing {
  readonly provider: string;
  readonly account: CarrierAccount;
}

/** Returns the token for adoption; undefined if the call must not be placed now. */
async function permit(
  telephony: Needs,
  claimed: ClaimedJob,
  placing: Placing,
  context: OutgoingContext,
): Promise<string | undefined> {
  const heldFor = await recheckControls(telephony);
  const permitted = await telephony.db.transaction(async (tx) => {
    const held = await lockJobAndCall(tx, claimed.call.organizationId, claimed.jobId);
    if (held === undefined) return undefined;
    const { job, call, now } = held;
    if (job.state !== 'leased' || job.epoch !== claimed.epoch || job.permitted || call.status !== 'queued')
      return undefined;
    const against = await againstDialing(tx, held, heldFor(call));
    if (typeof against === 'string') {
      await endCall(tx, held, [['fail', { at: now, endedReason: against }]], context.traceparent);
      return 'no' as const;
    }
    const waits = against ?? (await whileFull(tx, telephony, job.organizationId, placing));
    if (waits !== undefined) {
      await returnToQueue(tx, job, waits);
      return 'no' as const;
    }
    return { token: await open(tx, telephony, held, placing, context.traceparent) };
  });
  if (permitted !== undefined) telephony.onCommit(false);
  return typeof permitted === 'object' ? permitted.token : undefined;
}

/**
 * How many seconds the call must wait because no slot is free, or because its account or organization has used up its calls of this second; undefined: no wait.
 * Other permits wait until this transaction commits.
 */
async function whileFull(
  tx: Queryable,
  { settings }: Pick<Telephony, 'settings'>,
  organizationId: string,
  { provider, account }: Placing,
): Promise<number | undefined> {
  await lockSlots(tx);
  if ((await freeSlots(tx)) < 1) return fullSeconds;
  const dialed = await dialedJustNow(tx, organizationId, provider, account.accountSid);
  const { accountCallsPerSecond, organizationCallsPerSecond } = settings;
  const isFull = dialed.account >= accountCallsPerSecond || dialed.organization >= organizationCallsPerSecond;
  return isFull ? fullSeconds : undefined;
}

async function open(
  tx: Queryable,
  telephony: Pick<Telephony, 'settings' | 'vault'>,
  { job: { jobId }, call, now }: HeldJob,
  { provider, account }: Placing,
  traceparent: string | undefined,
): Promise<string> {
  const { ringSeconds } = telephony.settings;
  const token = await makeAdoptable(tx, telephony, jobId, ringSeconds + tokenGraceSeconds);
  await insertLine(tx, call.organizationId, {
    callId: call.callId,
    jobId,
    provider,
    accountSid: account.accountSid,
    carrierCallId: null,
    state: 'dialing',
    reserved: true,
    ringSeconds,
    checkSeconds: orderSeconds,
  });
  await recordSteps(tx, call, advanceThrough(call, [['dial', { at: now }]]), now, traceparent);
  return token;
}

function place(
  telephony: Needs,
  lines: CarrierLines,
  { organizationId, callId, to, from, carrier }: Call,
  account: CarrierAccount,
  token: string,
): Promise<OrderOutcome> {
  const provider = carrier ?? '';
  const stream = {
    url: streamUrlOf(telephony, provider),
    token,
    next: nextUrlOf(telephony, provider, callId),
  };
  const order = {
    organizationId,
    callId,
    token,
    to,
    from,
    markup: isAccountCarrier(provider) ? telephony.carriers[provider].protocol.streamCall(stream) : '',
    statusUrl: statusUrlOf(telephony, provider, callId),
    ringSeconds: telephony.settings.ringSeconds,
    longestSeconds,
  };
  return lines.place(order, account);
}

/** Records the carrier's response to the order. If the call is over by now, its line is hung up. */
async function noteOrder(
  telephony: Needs,
  { organizationId, callId, carrier }: Call,
  outcome: OrderOutcome,
  { traceparent }: OutgoingContext,
): Promise<void> {
  await telephony.db.transaction(async (tx) => {
    const held = await lockHeldLine(tx, organizationId, callId);
    if (held === undefined) throw new Error(`call ${callId} has no line`);
    const { line, job } = held;
    switch (outcome.outcome) {
      case 'placed': {
        // A status webhook arrived first.
        if (line.carrierCallId !== null && job.state !== 'done') return;
        // A line that was given up before the carrier returned its id may still be ringing.
        const unnamed = line.state === 'dialing' || line.carrierCallId === null;
        const state = unnamed ? 'ringing' : line.state;
        const checkSeconds = job.state === 'done' ? 0 : telephony.settings.ringSeconds + 5;
        return changeLine(tx, held, { state, carrierCallId: outcome.carrierCallId, checkSeconds });
      }
      case 'refused':
        // A status webhook from the carrier arrived first and takes precedence over the refusal.
        if (line.state !== 'dialing') return;
        await failLine(tx, held, refusalOf(carrier ?? '', outcome), traceparent);
        return changeLine(tx, held, { state: 'closed', reserved: false });
      case 'unknown':
        return changeLine(tx, held, { checkSeconds: 5 });
    }
  });
  telephony.onCommit(false);
  telephony.linesDue();
}

function refusalOf(carrier: string, { code, detail }: { readonly code: string; readonly detail: string }): LineFailure {
  const reasons = [code, `${carrier}_${code}`].filter(isReasonDetail);
  return { endedReason: 'carrier_failure', reasonDetail: reasons[0] ?? 'carrier_refused', said: detail.slice(0, 500) };
}
