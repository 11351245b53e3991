import type { GatewayLifecycle } from '@parley/contract';
import { conflict, notFound } from '@parley/errors';
import { isId, type Database, type OutgoingContext } from '@parley/runtime';
import {
  lockCall,
  type Call,
  advanceThrough,
  organizationOfCall,
  getCall,
  recordSteps,
  extendLease,
  finishJob,
  lineTakenBy,
  lockJobOfCall,
  findReport,
  putReport,
  type ReportAnswer,
} from '../../books';
import { findLine, takeLine } from './inbound-calls.sql';
import { isCarrierRouter, type Gateway } from './inbound-router.rules';
import { keepArtifacts, type Artifacts, movesOf, type RuntimeConfigurations } from '../../dispatch';
import type { Telephony } from '../../telephony';

type Needs = Pick<Telephony, 'db' | 'onCommit'>;

/** A media session lasts at most 30 minutes (docs/reference/tuning.md). If its end was not reported one minute later, the session is considered lost. */
const sessionSeconds = 31 * 60;

/**
 * The configuration to which an incoming call of the gateway is pinned.
 * @throws NotFoundError, also for an outbound call and for a call without pinned configuration
 */
export async function getCallConfiguration(
  db: Database,
  configurations: RuntimeConfigurations,
  line: GatewayLine,
  context: OutgoingContext,
): Promise<{ readonly call: Call; readonly configuration: string }> {
  const organizationId = await organizationOfLine(db, line);
  const call = await getCall(db, organizationId, line.callId);
  if (call.direction !== 'inbound') throw notFound('call');
  if (call.publicationSha256 === '') throw notFound('configuration');
  return { call, configuration: await configurations.of(call, context, 'opened') };
}

export interface GatewayReport extends GatewayLine {
  /** Validates the report; called once the call is found. @throws AppError BadRequestError */
  readonly report: () => GatewayLifecycle;
}

/** A gateway's reports about an outbound call use this epoch, which no lease has: the call's worker numbers its reports under the epoch of its own lease. */
const gatewayEpoch = '0';

/**
 * Processes a media gateway's report about a call. The end of an incoming call also completes it; its artifacts follow later. An outbound call is completed by
 * its worker, which has the lease. A repeated seq gets the same response as the first one, and reports without a transition change nothing.
 * @throws NotFoundError for a call that is not the gateway's; BadRequestError
 */
export async function reportGatewayCall(
  telephony: Needs,
  input: GatewayReport,
  context: OutgoingContext,
): Promise<ReportAnswer> {
  const organizationId = await organizationOfLine(telephony.db, input);
  const answer = await telephony.db.transaction(async (tx) => {
    const job = await lockJobOfCall(tx, organizationId, input.callId);
    const locked = await lockCall(tx, organizationId, input.callId);
    if (locked === undefined) throw notFound('call');
    const { seq, events } = input.report();
    const { call, now } = locked;
    // The call was refused on arrival, so there is nothing to report.
    if (job === undefined) return { callStatus: call.status, cancelRequested: false };
    const incoming = call.direction === 'inbound';
    const report = { jobId: job.jobId, epoch: incoming ? job.epoch : gatewayEpoch, seq: String(seq) };
    const earlier = await findReport(tx, report);
    if (earlier !== undefined) return earlier;
    const moves = movesOf(events, { job, call, now });
    const over = moves.some(([trigger]) => trigger === 'end' || trigger === 'fail' || trigger === 'cancel');
    const all = over && incoming ? [...moves, ['complete', { at: now }] as const] : moves;
    const steps = job.state === 'done' ? [] : advanceThrough(call, all);
    const after = await recordSteps(tx, call, steps, now, context.traceparent);
    if (over && (incoming || (job.state !== 'done' && after.status !== 'ended'))) await finishJob(tx, job.jobId, false);
    else if (incoming) await extendLease(tx, job.jobId, sessionSeconds, false);
    const given = { callStatus: after.status, cancelRequested: job.cancelRequested };
    await putReport(tx, organizationId, report, given);
    return given;
  });
  telephony.onCommit(false);
  return answer;
}

/**
 * Stores transcript and recording of a completed incoming call, each only once; repeating it changes nothing.
 * @throws NotFoundError; ConflictError before the call is completed, and for a call that a worker conducts
 */
export async function putCallArtifacts(
  telephony: Needs,
  // Artifacts are validated only after the call is found, because an unknown call id takes precedence over invalid fields.
  input: GatewayLine & { artifacts(): Artifacts },
  context: OutgoingContext,
): Promise<Call> {
  const organizationId = await organizationOfLine(telephony.db, input);
  const after = await telephony.db.transaction(async (tx) => {
    const locked = await lockCall(tx, organizationId, input.callId);
    if (locked === undefined) throw notFound('call');
    const artifacts = input.artifacts();
    const { call, now } = locked;
    if (call.direction !== 'inbound')
      throw conflict('the call is outbound: a gateway can report artifacts only for incoming calls');
    if (call.status !== 'completed') throw conflict(`the call is ${call.status}`);
    return recordSteps(tx, call, await keepArtifacts(tx, call, artifacts, now), now, context.traceparent);
  });
  telephony.onCommit(false);
  return after;
}

/** Identifies a call for a gateway. */
export interface GatewayLine {
  /** Empty for the hosted gateway. */
  readonly organizationId: string;
  readonly callId: string;
  readonly gateway: Gateway;
}

/**
 * The organization of a call, if the call is the gateway's. That is an incoming call that the gateway routed, an incoming call routed by a carrier whose line
 * this gateway is the first to take while the call lasts, or an outbound call whose line it took.
 * @throws NotFoundError
 */
export async function organizationOfLine(
  db: Database,
  { organizationId: named, callId, gateway }: GatewayLine,
): Promise<string> {
  const organizationId = isId('call', callId) ? await organizationOfCall(db, named, callId) : '';
  if (organizationId === '') throw notFound('call');
  let line = await findLine(db, organizationId, callId);
  if (line !== undefined && line.takenBy === null && isCarrierRouter(line.router)) {
    await takeLine(db, organizationId, callId, gateway.router);
    line = await findLine(db, organizationId, callId);
  }
  const owner = line === undefined ? await lineTakenBy(db, organizationId, callId) : (line.takenBy ?? line.router);
  if (owner === undefined || !gateway.names.includes(owner)) throw notFound('call');
  return organizationId;
}
