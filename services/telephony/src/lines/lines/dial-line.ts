import { isAccountCarrier, type EndedReason } from '@parley/contract';
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
} from '../../network';
import { insertLine } from './carrier-lines.sql';
import {
  lockCall,
  type Call,
  advanceThrough,
  recordSteps,
  type ClaimedJob,
  lockJob,
  countWaiting,
  putBack,
  adoptionTokenHash,
  makeAdoptable,
  newAdoptionToken,
  failClaimed,
  releaseJob,
  restSeconds,
} from '../../books';
import { dialledJustNow, freeSlots, lockSlots } from './line-slots.cross-tenant.sql';
import { recheckControls, againstDialling, failUndialled } from '../../dispatch';
import type { Telephony } from '../../telephony';
import { openLineAccount } from './line-account';
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
  const token = newAdoptionToken(telephony.vault);
  const begunMs = systemClock.monotonicMs();
  const permitted = await permit(telephony, claimed, { provider, account, token }, context);
  if (!permitted) return;
  const late = systemClock.monotonicMs() - begunMs > permitMs;
  const outcome: OrderOutcome = late
    ? { outcome: 'refused', code: 'not_dialled', detail: 'the process was stopped for too long to dial' }
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
  readonly token: string;
}

async function permit(
  telephony: Needs,
  claimed: ClaimedJob,
  placing: Placing,
  context: OutgoingContext,
): Promise<boolean> {
  const heldFor = await recheckControls(telephony);
  const permitted = await telephony.db.transaction(async (tx) => {
    const job = await lockJob(tx, claimed.call.organizationId, claimed.jobId);
    if (job?.state !== 'leased' || job.epoch !== claimed.epoch || job.permitted) return undefined;
    const locked = await lockCall(tx, job.organizationId, job.callId);
    if (locked?.call.status !== 'queued') return undefined;
    const held = { job, ...locked };
    const against = await againstDialling(tx, held, heldFor(locked.call));
    if (typeof against === 'string') {
      await failUndialled(tx, held, against, context.traceparent);
      return false;
    }
    const waits = against ?? (await whileFull(tx, telephony, job.organizationId, placing));
    if (waits !== undefined) {
      await putBack(tx, job.organizationId, job.jobId, waits);
      await countWaiting(tx, new Map([[job.organizationId, 1]]));
      return false;
    }
    await open(tx, telephony, { ...placing, ...locked, jobId: job.jobId }, context.traceparent);
    return true;
  });
  if (permitted !== undefined) telephony.onCommit(false);
  return permitted === true;
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
  const dialled = await dialledJustNow(tx, organizationId, provider, account.accountSid);
  const { accountCallsPerSecond, organizationCallsPerSecond } = settings;
  const isFull = dialled.account >= accountCallsPerSecond || dialled.organization >= organizationCallsPerSecond;
  return isFull ? fullSeconds : undefined;
}

interface Opening extends Placing {
  readonly jobId: string;
  readonly call: Call;
  readonly now: Date;
}

async function open(
  tx: Queryable,
  { settings }: Pick<Telephony, 'settings'>,
  { provider, account, token, jobId, call, now }: Opening,
  traceparent: string | undefined,
): Promise<void> {
  const seconds = settings.ringSeconds + tokenGraceSeconds;
  await makeAdoptable(tx, jobId, { tokenHash: adoptionTokenHash(token), seconds });
  await insertLine(tx, call.organizationId, {
    callId: call.callId,
    jobId,
    provider,
    accountSid: account.accountSid,
    carrierCallId: null,
    state: 'dialling',
    reserved: true,
    ringSeconds: settings.ringSeconds,
    checkSeconds: orderSeconds,
  });
  await recordSteps(tx, call, advanceThrough(call, [['dial', { at: now }]]), now, traceparent);
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
  { organizationId, callId }: Call,
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
        const unnamed = line.state === 'dialling' || line.carrierCallId === null;
        const state = unnamed ? 'ringing' : line.state;
        const checkSeconds = job.state === 'done' ? 0 : telephony.settings.ringSeconds + 5;
        return changeLine(tx, held, { state, carrierCallId: outcome.carrierCallId, checkSeconds });
      }
      case 'refused':
        // A status webhook from the carrier arrived first and takes precedence over the refusal.
        if (line.state !== 'dialling') return;
        await failLine(tx, held, refusalOf(outcome), traceparent);
        return changeLine(tx, held, { state: 'closed', reserved: false });
      case 'unknown':
        return changeLine(tx, held, { checkSeconds: 5 });
    }
  });
  telephony.onCommit(false);
  telephony.linesDue();
}

const refusalOf = ({ code, detail }: { readonly code: string; readonly detail: string }): LineFailure => ({
  endedReason: 'carrier_failure',
  reasonDetail: `carrier_${code}`.slice(0, 64),
  said: detail.slice(0, 500),
});
