import type { EndedReason, WorkerJobEvent, WorkerJobReport } from '@parley/contract';
import { AppError, conflict } from '@parley/errors';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import {
  advanceThrough,
  answerReport,
  type CallTrigger,
  endCall,
  type HeldJob,
  lockHeldJob,
  type ReportAnswer,
  type Reported,
  reportTriggers,
  returnToQueue,
  type TriggerFacts,
} from '../../books';
import { decide, factsOfPermit } from '../../policy';
import { recheckControls } from './recheck-at-dialing';
import type { Telephony } from '../../telephony';

export interface ReportJobInput {
  /** Empty for hosted workers, and for an operator that specified no organization. */
  readonly organizationId: string;
  readonly jobId: string;
  /** Validates the report. @throws AppError BadRequestError */
  readonly report: () => WorkerJobReport;
}

/**
 * Processes a worker's report. The response to `dialing` is the permit to dial, which is committed before the response. A repeated report gets the same
 * response as the first one; events without a transition change nothing. During the callee's quiet hours, maintenance or a suspension the call is not dialed:
 * its job returns to the queue. The call fails if its callee has been suppressed or its caller number released since admission.
 * @throws BadRequestError for an invalid report; ConflictError for a stale epoch, and if the call is not dialed; NotFoundError
 */
export async function reportJob(
  telephony: Pick<Telephony, 'db' | 'controls' | 'settings' | 'onCommit'>,
  input: ReportJobInput,
  context: OutgoingContext,
): Promise<ReportAnswer> {
  const heldFor = asksForPermit(input.report) ? await recheckControls(telephony) : () => undefined;
  const answer = await telephony.db.transaction(async (tx) => {
    const held = await lockHeldJob(tx, input.organizationId, input.jobId, input.report);
    const { job, call, now, fields } = held;
    const process = async (): Promise<Reported | Undialed | 'waits'> => {
      const steps = job.state === 'done' ? [] : advanceThrough(call, movesOf(fields.events, held));
      const permit = steps.some((step) => step.event === 'call.dialing');
      const against = permit ? await againstDialing(tx, held, heldFor(call)) : undefined;
      if (typeof against === 'string') {
        await endCall(tx, held, [['fail', { at: now, endedReason: against }]], context.traceparent);
        return against;
      }
      if (against !== undefined) {
        await returnToQueue(tx, job, against);
        return 'waits';
      }
      return { steps, lease: { seconds: telephony.settings.leaseSeconds, permit } };
    };
    return answerReport(tx, held, { epoch: job.epoch, seq: fields.seq }, process, context.traceparent);
  });
  telephony.onCommit(false);
  if (answer === 'waits') throw conflict('the call must wait: its job returned to the queue');
  if (answer === 'number_not_in_workspace') throw conflict('the number to call from was released: the call has failed');
  if (answer === 'suppressed') throw conflict('the number is now on the suppression list: the call has failed');
  return answer;
}

/**
 * Why a call whose worker requests the permit is not dialed now: the number of seconds for which it must wait, or the reason for which it fails, because its
 * callee opted out or its caller number was released since admission. Undefined: it may be dialed.
 * @param heldFor seconds for which it must wait regardless of its organization's rules
 */
export async function againstDialing(
  tx: Queryable,
  { call, now }: Pick<HeldJob, 'call' | 'now'>,
  heldFor: number | undefined,
): Promise<number | Undialed | undefined> {
  if (heldFor !== undefined) return heldFor;
  const facts = await factsOfPermit(tx, call, now);
  if (!facts.holdsNumber) return 'number_not_in_workspace';
  const { suppressed, waitSeconds } = decide(facts);
  return suppressed ? 'suppressed' : waitSeconds;
}

/** Ended reasons of calls that fail when their permit is requested. */
type Undialed = Extract<EndedReason, 'suppressed' | 'number_not_in_workspace'>;

/**
 * Whether a report requests the permit; this is determined before the job is locked. An invalid report requests nothing: its error is thrown once the job is
 * found.
 */
function asksForPermit(report: () => WorkerJobReport): boolean {
  try {
    return report().events.some(({ type }) => type === 'dialing');
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal_error') return false;
    throw error;
  }
}

/**
 * The transitions that a report implies. An event that was reported late happened earlier, but not before the previous event. The worker only states how long
 * it delayed an event, so its clock does not matter.
 */
export function movesOf(events: readonly WorkerJobEvent[], held: HeldJob): [CallTrigger, TriggerFacts][] {
  let dialing = held.call.status === 'dialing';
  let latest = held.call.updatedAt.getTime();
  return events.map((event) => {
    const { type, reason_detail: reasonDetail, elapsed_ms: elapsedMs, age_ms: age = 0, problems, navigation } = event;
    latest = Math.min(held.now.getTime(), Math.max(latest, held.now.getTime() - age));
    const at = new Date(latest);
    const trigger = reportTriggers[type];
    const over = trigger === 'end' || trigger === 'fail';
    // The worker hung up on request before the answer: this is a cancellation, not a failure.
    const canceled = over && dialing && held.job.cancelRequested;
    dialing = trigger === 'dial' || (dialing && !over && trigger !== 'answer');
    if (canceled) return ['cancel', { at, endedReason: 'canceled' }];
    if (!over) return [trigger, { at }];
    const endedReason = reasonOf(event, held.call);
    const rest = {
      ...(reasonDetail !== undefined && { reasonDetail }),
      ...(elapsedMs !== undefined && { elapsedMs }),
      ...(problems !== undefined && { problems }),
      ...(navigation !== undefined && { navigation }),
    };
    return [trigger, { at, endedReason, ...rest }];
  });
}

/**
 * The reason of an end. Without a reported reason only the end of the line is known. Whether the caller or the callee hung up is derived from the direction of
 * the call.
 */
function reasonOf({ type, ended_reason: reason }: WorkerJobEvent, { direction }: HeldJob['call']): EndedReason {
  if (reason === undefined) return type === 'failed' ? 'carrier_failure' : 'carrier_completed';
  if (reason === 'caller_hung_up' || reason === 'callee_hung_up') {
    return direction === 'outbound' ? 'callee_hung_up' : 'caller_hung_up';
  }
  return reason;
}
