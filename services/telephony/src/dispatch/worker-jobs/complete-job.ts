import { conflict } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import {
  advanceThrough,
  type CallStatus,
  type CallStep,
  type CallTrigger,
  type Finding,
  finishCall,
  type HeldWrite,
  lockHeldJob,
  recordSteps,
  type TriggerFacts,
  withFinding,
} from '../../books';
import type { Telephony } from '../../telephony';
import { type Artifacts, keepArtifacts } from './artifacts';

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
    const { call, job, now, fields } = held;
    if (job.state === 'done') return call.status;
    if (call.status === 'queued') throw conflict('the call was not dialed');
    const finished = { steps: lastSteps(held), inputLog: fields.inputLog };
    const after = await finishCall(tx, held, finished, context.traceparent);
    const kept = await keepArtifacts(tx, after, fields.artifacts, now);
    return (await recordSteps(tx, after, kept, now, context.traceparent)).status;
  });
  telephony.onCommit(false);
  return status;
}

function lastSteps({ call, job, now, fields }: HeldWrite<Completion>): CallStep[] {
  const moves: [CallTrigger, TriggerFacts][] = [];
  const untold: TriggerFacts = { at: now, endedReason: 'worker_failed' };
  if (call.status === 'dialing') {
    moves.push(job.cancelRequested ? ['cancel', { at: now, endedReason: 'canceled' }] : ['fail', untold]);
  }
  if (call.status === 'answered') moves.push(['end', untold]);
  moves.push(['complete', { at: now }]);
  return advanceThrough({ ...call, ...withFinding(call, fields.finding) }, moves);
}
