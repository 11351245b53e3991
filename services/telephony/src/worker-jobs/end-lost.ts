import type { EndedReason } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { advanceThrough, recordSteps, type Call } from '../calls';
import { finishJob } from '../queue';
import { keepReportedTurns } from './report-turns';

/** Ends a call that was talked and has no worker any more. The caller holds the locks of its job and of it. */
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
