import type { Queryable } from '@parley/runtime';
import type { CallStep } from '../calls/call-transitions.rules';
import { recordSteps } from '../calls/record-steps';
import type { HeldJob } from './held-job';
import type { ReportAnswer } from './job.rules';
import { extendLease, finishJob } from './leases.cross-tenant.sql';
import { findReport, putReport } from './reports.cross-tenant.sql';

/** What a report changes. */
export interface Reported {
  readonly steps: readonly CallStep[];
  /** `over`: the reporter has finished the job. Otherwise for how long its lease is extended, if it is, and whether this report obtained the permit to dial. */
  readonly lease: undefined | 'over' | { readonly seconds: number; readonly permit: boolean };
}

/**
 * Answers a report: a repeated one as the first time. The caller has locked the job and the call.
 * @param process returns what the report changes, or why it is refused; a refusal is not stored
 */
export async function answerReport<Refusal extends string = never>(
  tx: Queryable,
  { job, call, now }: HeldJob,
  { epoch, seq }: { readonly epoch: string; readonly seq: number },
  process: () => Promise<Reported | Refusal>,
  traceparent: string | undefined,
): Promise<ReportAnswer | Refusal> {
  const report = { jobId: job.jobId, epoch, seq: String(seq) };
  const earlier = await findReport(tx, report);
  if (earlier !== undefined) return earlier;
  const reported = await process();
  if (typeof reported === 'string') return reported;
  const { steps, lease } = reported;
  const after = await recordSteps(tx, call, steps, now, traceparent);
  if (lease === 'over') await finishJob(tx, job.jobId, false);
  else if (lease !== undefined) await extendLease(tx, job.jobId, lease.seconds, lease.permit);
  const answer = { callStatus: after.status, cancelRequested: job.cancelRequested };
  await putReport(tx, job.organizationId, report, answer);
  return answer;
}
