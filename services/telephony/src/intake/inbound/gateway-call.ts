import type { GatewayLifecycle, RecordingComplete } from '@parley/contract';
import { conflict, notFound } from '@parley/errors';
import { isId, type Database, type OutgoingContext } from '@parley/runtime';
import {
  advanceThrough,
  answerReport,
  type Call,
  gatewayOfLine,
  getCall,
  lockCall,
  lockCallAndJob,
  organizationOfCall,
  recordSteps,
  type ReportAnswer,
  takeOutboundLine,
} from '../../books';
import { findLine, takeLine } from './inbound-calls.sql';
import { isCarrierRouter } from './inbound-router.rules';
import {
  type Artifacts,
  completeIncomingRecording,
  keepArtifacts,
  movesOf,
  type PartWrite,
  putIncomingPart,
  type RuntimeConfigurations,
} from '../../dispatch';
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
    const held = await lockCallAndJob(tx, organizationId, input.callId);
    if (held === undefined) throw notFound('call');
    const { seq, events } = input.report();
    const { job, call, now } = held;
    // The call was refused on arrival, so there is nothing to report.
    if (job === undefined) return { callStatus: call.status, cancelRequested: false };
    const incoming = call.direction === 'inbound';
    const process = () => {
      const moves = movesOf(events, { job, call, now });
      const over = moves.some(([trigger]) => trigger === 'end' || trigger === 'fail' || trigger === 'cancel');
      const all = over && incoming ? [...moves, ['complete', { at: now }] as const] : moves;
      const steps = job.state === 'done' ? [] : advanceThrough(call, all);
      const after = steps.at(-1)?.call ?? call;
      const finished = over && (incoming || (job.state !== 'done' && after.status !== 'ended'));
      const lease = finished ? ('over' as const) : incoming ? { seconds: sessionSeconds, permit: false } : undefined;
      return Promise.resolve({ steps, lease });
    };
    const epoch = incoming ? job.epoch : gatewayEpoch;
    return answerReport<never>(tx, { job, call, now }, { epoch, seq }, process, context.traceparent);
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

/** Like `putJobPart`, for a call of the gateway. */
export async function putGatewayPart(
  telephony: Pick<Telephony, 'db' | 'recordings' | 'settings' | 'partRefused'>,
  { part, content, ...line }: PartWrite & GatewayLine,
): Promise<string> {
  const organizationId = await organizationOfLine(telephony.db, line);
  return putIncomingPart(telephony, { organizationId, callId: line.callId, part, content });
}

/** Like `completeJobRecording`, for a call of the gateway. */
export async function completeGatewayRecording(
  telephony: Pick<Telephony, 'db' | 'recordings' | 'recordingsWait'>,
  line: GatewayLine & { fields(): RecordingComplete },
): Promise<string> {
  const organizationId = await organizationOfLine(telephony.db, line);
  return completeIncomingRecording(telephony, organizationId, line.callId, line.fields());
}

/** Identifies a call for a gateway. */
export interface GatewayLine {
  /** Empty for the hosted gateway. */
  readonly organizationId: string;
  readonly callId: string;
  /** The router that is recorded for its calls: `gatewayOf`. */
  readonly gateway: string;
}

/**
 * The organization of a call, if the call is the gateway's. That is an incoming call that the gateway routed, an incoming call routed by a carrier whose line
 * this gateway is the first to take while the call lasts, or an outbound call whose line it took.
 * @throws NotFoundError
 */
async function organizationOfLine(
  db: Database,
  { organizationId: named, callId, gateway }: GatewayLine,
): Promise<string> {
  const organizationId = isId('call', callId) ? await organizationOfCall(db, named, callId) : '';
  if (organizationId === '') throw notFound('call');
  let line = await findLine(db, organizationId, callId);
  if (line !== undefined && line.takenBy === null && isCarrierRouter(line.router)) {
    await takeLine(db, organizationId, callId, gateway);
    line = await findLine(db, organizationId, callId);
  }
  const owner = line === undefined ? await gatewayOfLine(db, organizationId, callId) : (line.takenBy ?? line.router);
  if (owner !== gateway) throw notFound('call');
  return organizationId;
}

/**
 * Assigns the line of an outbound call to the hosted gateway, which reports the events of the line from then on. The call's worker already has the permit to
 * dial. Repeating the request changes nothing.
 * @throws NotFoundError, also for an incoming call; ConflictError if the call is neither being dialed nor in progress
 */
export async function authorizeOutboundCall(
  db: Database,
  { organizationId: named, callId, gateway }: GatewayLine,
): Promise<Call> {
  const organizationId = isId('call', callId) ? await organizationOfCall(db, named, callId) : '';
  if (organizationId === '') throw notFound('call');
  return takeOutboundLine(db, organizationId, callId, gateway);
}
