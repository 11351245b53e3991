import type { Queryable } from '@parley/runtime';

/** What a report was answered. */
export interface ReportAnswer {
  readonly callStatus: string;
  readonly cancelRequested: boolean;
}

/** Reports are identified by job, epoch and seq. */
export interface ReportId {
  readonly jobId: string;
  readonly epoch: string;
  readonly seq: string;
}

export async function findReport(tx: Queryable, report: ReportId): Promise<ReportAnswer | undefined> {
  const { rows } = await tx.query<{ call_status: string; cancel_requested: boolean }>({
    name: 'report-find',
    text: 'select call_status, cancel_requested from job_reports where job_id = $1 and epoch = $2 and seq = $3',
    values: [report.jobId, report.epoch, report.seq],
  });
  const row = rows[0];
  return row === undefined ? undefined : { callStatus: row.call_status, cancelRequested: row.cancel_requested };
}

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

/** Forgets answers of jobs that are over, older than `hours`. Answers how many went: call again while it is the limit. */
export async function pruneReports(db: Queryable, hours: number, limit: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'reports-prune',
    text: `delete from job_reports where (job_id, epoch, seq) in (
             select r.job_id, r.epoch, r.seq from job_reports r join jobs j on j.job_id = r.job_id
             where r.reported_at < clock_timestamp() - make_interval(hours => $1::integer) and j.state = 'done' limit $2)`,
    values: [hours, limit],
  });
  return rowCount;
}
