import { badRequest, conflict, notFound } from '@parley/errors';
import { isId, type Database, type OutgoingContext } from '@parley/runtime';
import { lockCall } from '../db/calls';
import { extendLease, finishJob, lockJobOfCall } from '../db/jobs/leases';
import { findReport, putReport, type ReportAnswer } from '../db/jobs/reports';
import type { Call } from '../domain/call';
import { advanceThrough } from '../domain/call-transitions';
import { keepArtifacts, type Artifacts } from './artifacts';
import { organizationOfCall } from './owner';
import { getCall } from './read-calls';
import { recordSteps } from './record-steps';
import { movesOf, requireKnown, type WorkerEvent } from './report-job';
import type { RuntimeConfigurations } from './runtime-configuration';
import type { Telephony } from './telephony';

/** A media session drops at 30 minutes (section 8); who has not told its end a minute later is gone. */
const sessionSeconds = 31 * 60;

/** JSON of GatewayCallConfiguration. NotFoundError also for a call that is pinned to nothing. */
export async function getCallConfiguration(
  db: Database,
  configurations: RuntimeConfigurations,
  named: string,
  callId: string,
  context: OutgoingContext,
): Promise<{ readonly call: Call; readonly configuration: string }> {
  const call = await getCall(db, named, callId);
  if (call.publicationSha256 === '') throw notFound('configuration');
  return { call, configuration: await configurations.of(call, context) };
}

export interface GatewayReport {
  /** Empty for the hosted gateway. */
  readonly organizationId: string;
  readonly callId: string;
  readonly seq: string;
  readonly events: readonly WorkerEvent[];
}

/**
 * Takes what a media gateway tells of an incoming call. An end also completes the call: its artifacts follow. A repeated
 * seq is answered as the first was, and what the transition table does not know changes nothing.
 * @throws NotFoundError; ConflictError for a call that a worker conducts
 */
export async function reportGatewayCall(
  telephony: Telephony,
  input: GatewayReport,
  context: OutgoingContext,
): Promise<ReportAnswer> {
  requireKnown(input.events, ['dialing']);
  if (BigInt(input.seq) < 1n) throw badRequest('seq must be at least 1');
  const organizationId = await ownedBy(telephony.db, input);
  const answer = await telephony.db.transaction(async (tx) => {
    const job = await lockJobOfCall(tx, organizationId, input.callId);
    const locked = await lockCall(tx, organizationId, input.callId);
    if (locked === undefined) throw notFound('call');
    const { call, now } = locked;
    if (call.direction !== 'inbound') throw conflict('a worker conducts this call');
    // Refused when it came in: there never was anything to report.
    if (job === undefined) return { callStatus: call.status, cancelRequested: false };
    const report = { jobId: job.jobId, epoch: job.epoch, seq: input.seq };
    const earlier = await findReport(tx, report);
    if (earlier !== undefined) return earlier;
    const moves = movesOf(input.events, { job, call, now });
    const over = moves.some(([trigger]) => trigger === 'end' || trigger === 'fail' || trigger === 'cancel');
    const all = over ? [...moves, ['complete', { at: now }] as const] : moves;
    const steps = job.state === 'done' ? [] : advanceThrough(call, all);
    const after = await recordSteps(tx, call, steps, now, context.traceparent);
    if (over) await finishJob(tx, job.jobId, false);
    else await extendLease(tx, job.jobId, sessionSeconds, false);
    const given = { callStatus: after.status, cancelRequested: job.cancelRequested };
    await putReport(tx, organizationId, report, given);
    return given;
  });
  telephony.committed(false);
  return answer;
}

/**
 * Keeps transcript and recording of a completed incoming call, each once; repeated it changes nothing.
 * @throws NotFoundError; ConflictError before the call is completed and for a call that a worker conducts
 */
export async function putCallArtifacts(
  telephony: Telephony,
  // Read once it is known that there is such a call: an absent id is told before a fault of the body.
  input: { readonly organizationId: string; readonly callId: string; artifacts(): Artifacts },
  context: OutgoingContext,
): Promise<Call> {
  const organizationId = await ownedBy(telephony.db, input);
  const artifacts = input.artifacts();
  const after = await telephony.db.transaction(async (tx) => {
    const locked = await lockCall(tx, organizationId, input.callId);
    if (locked === undefined) throw notFound('call');
    const { call, now } = locked;
    if (call.direction !== 'inbound') throw conflict('a worker conducts this call');
    if (call.status !== 'completed') throw conflict(`the call is ${call.status}`);
    return recordSteps(tx, call, await keepArtifacts(tx, call, artifacts, now), now, context.traceparent);
  });
  telephony.committed(false);
  return after;
}

async function ownedBy(
  db: Database,
  { organizationId, callId }: { readonly organizationId: string; readonly callId: string },
): Promise<string> {
  const owner = isId('call', callId) ? await organizationOfCall(db, organizationId, callId) : '';
  if (owner === '') throw notFound('call');
  return owner;
}
