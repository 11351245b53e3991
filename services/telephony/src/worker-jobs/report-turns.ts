import { limits, type WorkerTurns } from '@parley/contract';
import { AppError, conflict } from '@parley/errors';
import { jsonWithoutCardNumbers, type Queryable } from '@parley/runtime';
import { countTurns, putTurns, takeTurns, type Call, recordSteps } from '../calls';
import { keepArtifacts } from './artifacts';
import { lockHeldJob } from '../queue';
import type { Telephony } from '../telephony';

export interface ReportTurnsInput {
  /** Empty for hosted workers, and for an operator who names none. */
  readonly organizationId: string;
  readonly jobId: string;
  /** Validates the fields, once the job is found. @throws AppError BadRequestError */
  readonly fields: () => WorkerTurns;
}

/**
 * Keeps turns of a call while it goes on: where its worker dies, they are the transcript. Repeated it changes nothing.
 * @returns JSON of WorkerTurnsAnswer
 * @throws NotFoundError; BadRequestError; ConflictError for a stale epoch, a call that was not answered or is over, and turns that would leave a gap;
 *   PayloadTooLargeError for more turns than a call has
 */
export function reportTurns(
  { db }: Telephony,
  { organizationId: named, jobId, fields: read }: ReportTurnsInput,
): Promise<string> {
  return db.transaction(async (tx) => {
    const { job, call, fields } = await lockHeldJob(tx, named, jobId, read);
    const { organizationId, callId } = call;
    if (job.state === 'done') throw conflict('the call is over');
    if (!['answered', 'ended'].includes(call.status)) throw conflict(`the call is ${call.status}`);
    const { first, turns } = fields;
    const count = first + turns.length;
    if (count > limits.reportedTurns) {
      throw new AppError('PayloadTooLargeError', `at most ${limits.reportedTurns} turns of a call are kept`);
    }
    if (first > (await countTurns(tx, organizationId, callId)))
      throw conflict('turns before the first one are missing');
    await putTurns(tx, organizationId, { callId, first, turns: turns.map((turn) => jsonWithoutCardNumbers(turn)) });
    return JSON.stringify({ turns: count });
  });
}

/** The transcript of a completed call whose worker did not hand one in: what it reported. The caller holds the call's lock. */
export async function keepReportedTurns(tx: Queryable, call: Call, at: Date): Promise<void> {
  const turns = await takeTurns(tx, call.organizationId, call.callId);
  if (turns.length === 0) return;
  const transcript = `{"turns":[${turns.join(',')}]}`;
  await recordSteps(tx, call, await keepArtifacts(tx, call, { transcript, recording: undefined }, at), at);
}
