import type { Ring } from '@parley/outbox';
import type { Queryable } from '@parley/runtime';
import type { CallStatus } from '../calls/call.rules';
import type { ReportAnswer } from './job.rules';

/**
 * Stored responses to reports. A worker repeats a report for a few minutes at most, and no call lasts a day; a report repeated later gets the current state of
 * the call.
 */
export const reportRing: Ring = { table: 'job_reports', kept: 1 };

/** Reports are identified by job, epoch and seq. */
export interface ReportId {
  readonly jobId: string;
  readonly epoch: string;
  readonly seq: string;
}

export async function findReport(tx: Queryable, report: ReportId): Promise<ReportAnswer | undefined> {
  const { rows } = await tx.query<{ call_status: CallStatus; cancel_requested: boolean }>({
    name: 'report-find',
    text: 'select call_status, cancel_requested from job_reports where job_id = $1 and epoch = $2 and seq = $3',
    values: [report.jobId, report.epoch, report.seq],
  });
  const row = rows[0];
  return row === undefined ? undefined : { callStatus: row.call_status, cancelRequested: row.cancel_requested };
}

/** The caller has locked the job's row, and `findReport` found no report under that lock, so the first stored response is final. */
export async function putReport(
  tx: Queryable,
  organizationId: string,
  report: ReportId,
  answer: ReportAnswer,
): Promise<void> {
  await tx.query({
    name: 'report-put',
    text: `insert into job_reports (organization_id, job_id, epoch, seq, call_status, cancel_requested, reported_at)
           values ($1, $2, $3, $4, $5, $6, clock_timestamp())`,
    values: [organizationId, report.jobId, report.epoch, report.seq, answer.callStatus, answer.cancelRequested],
  });
}
