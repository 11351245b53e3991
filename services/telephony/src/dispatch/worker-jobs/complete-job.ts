import { conflict } from '@parley/errors';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import type { EndedReason } from '@parley/contract';
import {
  advanceThrough,
  type Call,
  type CallStatus,
  type CallTrigger,
  type Finding,
  putInputLog,
  recordSteps,
  takeTurns,
  type TriggerFacts,
  withFinding,
  finishJob,
  type HeldWrite,
  lockHeldJob,
} from '../../books';
import type { Telephony } from '../../telephony';
import { type Artifacts, keepArtifacts } from './artifacts';
import { keepReportedTurns } from './report-turns';

export interface CompleteJobInput {
  /** Empty for hosted workers, and for an operator that specified no organization. */
  readonly organizationId: string;
  readonly jobId: string;
  /** Validates the fields; called once the job is found. @throws AppError BadRequestError */
  readonly completion: () => Completion;
}

/** What a worker reports at the end of a call. */
export interface Completion {
  readonly epoch: number;
  readonly finding: Finding;
  readonly artifacts: Artifacts;
  /** The engine's input log for replays; undefined for none. */
  readonly inputLog?: Buffer | undefined;
}

/**
 * The worker has finished a call: the call is completed, and its transcript and recording are stored. This also works if the worker did not report the end of
 * the call before. Repeating it changes nothing. Before the permit there is nothing to complete.
 * @throws BadRequestError for a finding that the call's answer detection rules out; ConflictError for a stale epoch or a call that was not dialed;
 * NotFoundError
 */
export async function completeJob(
  telephony: Pick<Telephony, 'db' | 'onCommit'>,
  input: CompleteJobInput,
  context: OutgoingContext,
): Promise<CallStatus> {
  const status = await telephony.db.transaction(async (tx) => {
    const held = await lockHeldJob(tx, input.organizationId, input.jobId, input.completion);
    if (held.job.state === 'done') return held.call.status;
    if (held.call.status === 'queued') throw conflict('the call was not dialed');
    const after = await finishCall(tx, held, context.traceparent);
    await finishJob(tx, held.job.jobId, false);
    return after.status;
  });
  telephony.onCommit(false);
  return status;
}

async function finishCall(
  tx: Queryable,
  { call, job, now, fields }: HeldWrite<Completion>,
  traceparent: string | undefined,
): Promise<Call> {
  const moves: [CallTrigger, TriggerFacts][] = [];
  const untold: TriggerFacts = { at: now, endedReason: 'worker_failed' };
  if (call.status === 'dialing') {
    moves.push(job.cancelRequested ? ['cancel', { at: now, endedReason: 'canceled' }] : ['fail', untold]);
  }
  if (call.status === 'answered') moves.push(['end', untold]);
  moves.push(['complete', { at: now }]);
  await takeTurns(tx, call.organizationId, call.callId);
  const found = { ...call, ...withFinding(call, fields.finding) };
  const after = await recordSteps(tx, call, advanceThrough(found, moves), now, traceparent);
  if (fields.inputLog !== undefined) {
    await putInputLog(tx, call.organizationId, { callId: call.callId, log: fields.inputLog, at: now });
  }
  return recordSteps(tx, after, await keepArtifacts(tx, after, fields.artifacts, now), now, traceparent);
}

/** Ends an answered call whose worker was lost. The caller has locked the job and the call. */
export async function endLost(
  tx: Queryable,
  { jobId, call, now }: { readonly jobId: string; readonly call: Call; readonly now: Date },
  endedReason: EndedReason,
  traceparent?: string,
): Promise<Call> {
  const steps = advanceThrough(call, [
    ['end', { at: now, endedReason }],
    ['complete', { at: now }],
  ]);
  const after = await recordSteps(tx, call, steps, now, traceparent);
  await keepReportedTurns(tx, after, now);
  await finishJob(tx, jobId, true);
  return after;
}
