import type { Queryable } from '@parley/runtime';
import type { HeldJob } from '../queue/held-job';
import type { JobState } from '../queue/job.rules';
import { finishJob, requestCancel } from '../queue/leases.cross-tenant.sql';
import { countWaiting } from '../queue/waiting.cross-tenant.sql';
import type { Call } from './call.rules';
import { takeTurns } from './call-turns.sql';
import { advanceThrough, type CallStep, type CallTrigger, type TriggerFacts } from './call-transitions.rules';
import { writeCall } from './calls.sql';
import { putInputLog } from './input-logs.sql';
import { keepTranscript } from './keep-transcript';
import { recordSteps } from './record-steps';

type EndedJob = { readonly jobId: string; readonly state: JobState } | undefined;

/**
 * Ends a call that no worker conducts to its end, and takes its job, if it has one, from its worker: all further requests of the worker are stale. The turns
 * reported during a completed call become its transcript.
 */
export async function endCall(
  tx: Queryable,
  { job, call, now }: HeldJob<EndedJob>,
  moves: readonly (readonly [CallTrigger, TriggerFacts])[],
  traceparent?: string,
): Promise<Call> {
  const after = await recordSteps(tx, call, advanceThrough(call, moves), now, traceparent);
  if (after.status === 'completed') await keepReportedTurns(tx, after, now);
  if (job === undefined) return after;
  await finishJob(tx, job.jobId, true);
  if (job.state === 'queued') await countWaiting(tx, new Map([[call.organizationId, -1]]));
  return after;
}

async function keepReportedTurns(tx: Queryable, call: Call, at: Date): Promise<void> {
  const turns = await takeTurns(tx, call.organizationId, call.callId);
  if (turns.length === 0 || !(await keepTranscript(tx, call, `{"turns":[${turns.join(',')}]}`, at))) return;
  await recordSteps(tx, call, advanceThrough(call, [['attach_transcript', { at }]]), at);
}

/** What the worker of a call leaves at its end. */
interface Finished {
  readonly steps: readonly CallStep[];
  /** The engine's input log for replays; undefined for none. */
  readonly inputLog: Buffer | undefined;
}

/** Records that the worker of a call has finished it and its job. It submits the transcript itself and may repeat its last request. */
export async function finishCall(
  tx: Queryable,
  { job, call, now }: HeldJob,
  { steps, inputLog }: Finished,
  traceparent?: string,
): Promise<Call> {
  const { organizationId, callId } = call;
  await takeTurns(tx, organizationId, callId);
  const after = await recordSteps(tx, call, steps, now, traceparent);
  if (inputLog !== undefined) await putInputLog(tx, organizationId, { callId, log: inputLog, at: now });
  await finishJob(tx, job.jobId, false);
  return after;
}

/** Requests the end of a call: the response to its worker's next report instructs the worker to hang up. Its event follows when the call ends. */
export async function cancelLater(tx: Queryable, { job, call, now }: HeldJob): Promise<Call> {
  await requestCancel(tx, job.jobId);
  if (call.cancelRequestedAt !== null) return call;
  const after = { ...call, cancelRequestedAt: now, updatedAt: now };
  await writeCall(tx, call.organizationId, after);
  return after;
}
