import { badRequest, conflict } from '@parley/errors';
import { throwRefusal, type OutgoingContext, type Queryable } from '@parley/runtime';
import { extendLease, finishJob } from '../db/jobs/leases';
import { findReport, putReport, type ReportAnswer } from '../db/jobs/reports';
import { countWaiting, putBack } from '../db/jobs/waiting';
import { readAtDialling } from '../db/policies';
import type { EndedReason } from '../domain/ended-reasons';
import { advanceThrough, type CallTrigger, type TriggerFacts } from '../domain/call-transitions';
import { lockHeldJob, type HeldJob } from './held-job';
import { heldAtDialling } from './held-at-dialling';
import { quietAtDialling } from './quiet-at-dialling';
import { recordSteps } from './record-steps';
import type { Telephony } from './telephony';

/** What a worker reports of a call. */
export interface WorkerEvent {
  readonly type: string;
  readonly endedReason: string;
  readonly reasonDetail: string;
}

export interface ReportJobInput {
  /** Empty for hosted workers. */
  readonly organizationId: string;
  readonly jobId: string;
  readonly epoch: string;
  readonly seq: string;
  readonly events: readonly WorkerEvent[];
  /** Why the edge refuses the fields, once the job is found; absent: they are good. */
  readonly refusal?: Uint8Array;
}

const triggers: Readonly<Record<string, CallTrigger>> = {
  dialing: 'dial',
  answered: 'answer',
  media_started: 'start_media',
  ended: 'end',
  failed: 'fail',
};

/**
 * Takes a worker's report. The answer to `dialing` is the permit to call the carrier, committed before it is given. A
 * repeated report is answered as the first was; what the transition table does not know changes nothing. In its callee's quiet
 * hours, in a maintenance window and under a suspension a call is not dialled: its job goes back into the lane until they are over. One whose
 * number is on the suppression list by now has failed.
 * @throws BadRequestError for an unknown kind of event; ConflictError for a stale epoch and where the call is not dialled; NotFoundError
 */
export async function reportJob(
  telephony: Telephony,
  input: ReportJobInput,
  context: OutgoingContext,
): Promise<ReportAnswer> {
  const dials = input.events.some(({ type }) => type === 'dialing');
  const heldFor = dials ? await heldAtDialling(telephony) : () => undefined;
  const answer = await telephony.db.transaction(async (tx) => {
    const held = await lockHeldJob(tx, input.organizationId, input.jobId, input.epoch, () => checkFields(input));
    const { job, call, now } = held;
    const earlier = await findReport(tx, input);
    if (earlier !== undefined) return earlier;
    const steps = job.state === 'done' ? [] : advanceThrough(call, movesOf(input.events, held));
    const permit = steps.some((step) => step.event === 'call.dialing');
    const against = permit ? await againstDialling(tx, held, heldFor(call)) : undefined;
    if (against === 'suppressed') {
      await failSuppressed(tx, held, context.traceparent);
      return against;
    }
    if (against !== undefined) {
      await putBack(tx, job.organizationId, job.jobId, against);
      await countWaiting(tx, new Map([[job.organizationId, 1]]));
      return 'waits';
    }
    const after = await recordSteps(tx, call, steps, now, context.traceparent);
    await extendLease(tx, job.jobId, telephony.settings.leaseSeconds, permit);
    const given = { callStatus: after.status, cancelRequested: job.cancelRequested };
    await putReport(tx, job.organizationId, input, given);
    return given;
  });
  telephony.committed(false);
  if (answer === 'waits') throw conflict('the call has to wait: its job went back into the queue');
  if (answer === 'suppressed') throw conflict('the number is on the suppression list by now: the call has failed');
  return answer;
}

/**
 * Why the call that asks for its permit is not dialled now: for how many seconds it has to wait, or that its number was put on the suppression list
 * since it was admitted. Undefined: it may be dialled.
 * @param heldFor seconds for which it is held whatever its organization's rules say
 */
async function againstDialling(
  tx: Queryable,
  { call, now }: HeldJob,
  heldFor: number | undefined,
): Promise<number | 'suppressed' | undefined> {
  if (heldFor !== undefined) return heldFor;
  const { policy, suppressed } = await readAtDialling(tx, call.organizationId, call.to);
  return suppressed ? 'suppressed' : quietAtDialling(policy, call, now);
}

/** Nobody calls somebody who asked not to be called after the call was asked for. */
async function failSuppressed(
  tx: Queryable,
  { job, call, now }: HeldJob,
  traceparent: string | undefined,
): Promise<void> {
  const steps = advanceThrough(call, [['fail', { at: now, endedReason: 'suppressed' satisfies EndedReason }]]);
  await recordSteps(tx, call, steps, now, traceparent);
  await finishJob(tx, job.jobId, true);
}

function checkFields({ refusal, events, seq }: ReportJobInput): void {
  throwRefusal(refusal);
  requireKnown(events);
  if (BigInt(seq) < 1n) throw badRequest('seq must be at least 1');
}

/** @throws BadRequestError for a kind of event that is unknown, or not for this reporter */
export function requireKnown(events: readonly WorkerEvent[], except: readonly string[] = []): void {
  for (const { type } of events) {
    if (Object.hasOwn(triggers, type) && !except.includes(type)) continue;
    throw badRequest(`events: ${JSON.stringify(type)} is not a kind of report`);
  }
}

/** What a report means for the call. */
export function movesOf(events: readonly WorkerEvent[], held: HeldJob): [CallTrigger, TriggerFacts][] {
  let dialing = held.call.status === 'dialing';
  return events.map(({ type, endedReason, reasonDetail }) => {
    const trigger = triggers[type] ?? 'fail';
    const over = trigger === 'end' || trigger === 'fail';
    // Hung up on request before anybody answered: that is a cancellation, not a failure.
    const canceled = over && dialing && held.job.cancelRequested;
    dialing = trigger === 'dial' || (dialing && !over && trigger !== 'answer');
    if (canceled) return ['cancel', { at: held.now, endedReason: 'canceled' }];
    const reasons = over ? { endedReason: endedReason || 'unspecified', ...(reasonDetail && { reasonDetail }) } : {};
    return [trigger, { at: held.now, ...reasons }];
  });
}
