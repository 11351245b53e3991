import { limits, type WorkerTurns } from '@parley/contract';
import { AppError, conflict, invalidField } from '@parley/errors';
import { jsonWithoutCardNumbers, withoutCardNumbers } from '@parley/runtime';
import { keepTurns, lockHeldJob, loseWorker } from '../../books';
import type { Telephony } from '../../telephony';

export interface ReportTurnsInput {
  /** Empty for hosted workers, and for an operator that specified no organization. */
  readonly organizationId: string;
  readonly jobId: string;
  /** Validates the fields; called once the job is found. @throws AppError BadRequestError */
  readonly fields: () => WorkerTurns;
}

/**
 * Stores turns of a call in progress, and the snapshot from which another worker could continue. If the worker dies, these turns become the transcript.
 * Repeating the request changes nothing. With `hands_over` the worker releases the call to another worker.
 * @returns JSON of WorkerTurnsAnswer
 * @throws NotFoundError; BadRequestError; ConflictError for a stale epoch, a call that was not answered or is over, turns that would leave a gap, and a call
 * that cannot be handed over; PayloadTooLargeError for too many turns
 */
export async function reportTurns(
  telephony: Pick<Telephony, 'db' | 'signals' | 'linesDue'>,
  { organizationId: named, jobId, fields: read }: ReportTurnsInput,
): Promise<string> {
  const { body, callId, handedOver, partial } = await telephony.db.transaction(async (tx) => {
    const { job, call, fields } = await lockHeldJob(tx, named, jobId, read);
    const { organizationId, callId } = call;
    if (job.state === 'done') throw conflict('the call is over');
    if (!['answered', 'ended'].includes(call.status)) throw conflict(`the call is ${call.status}`);
    const { first, turns, snapshot, hands_over: handsOver = false, partial } = fields;
    if (turns.length === 0 && snapshot === undefined && !handsOver && partial === undefined)
      throw invalidField('turns', 'too_short', 'must contain at least one turn');
    const count = first + turns.length;
    if (count > limits.reportedTurns) {
      throw new AppError('PayloadTooLargeError', `at most ${limits.reportedTurns} turns of a call are kept`);
    }
    await keepTurns(tx, organizationId, {
      ...{ callId, first, turns: turns.map((turn) => jsonWithoutCardNumbers(turn)) },
      snapshot: snapshot === undefined ? undefined : jsonWithoutCardNumbers(snapshot),
    });
    if (handsOver && (await loseWorker(tx, job)) !== 'lost')
      throw conflict('the line of the call cannot be connected again');
    return { body: JSON.stringify({ turns: count }), callId, handedOver: handsOver, partial };
  });
  // Only current watchers of the call receive the partial result; it is not stored.
  telephony.signals.send(
    'call',
    callId,
    partial === undefined ? '' : withoutCardNumbers(partial.replaceAll(/\s+/g, ' ')),
  );
  if (handedOver) telephony.linesDue();
  return body;
}
