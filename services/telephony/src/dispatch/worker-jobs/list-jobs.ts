import type { WorkerJobListQuery, WorkerJobRecord } from '@parley/contract';
import { pageDocument, pagePosition } from '@parley/service';
import type { Telephony } from '../../telephony';
import { listJobRows, type JobRow } from './job-list.cross-tenant.sql';

/** The jobs, for operators. @param organizationId only its jobs; empty for all */
export async function listJobPage(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  query: WorkerJobListQuery,
): Promise<string> {
  const { limit, after } = pagePosition(query);
  const { state = '', worker_id: workerId = '' } = query;
  const before = String(after?.[0] ?? '');
  const rows = await listJobRows(db, { organizationId, state, workerId, before, limit: limit + 1 });
  return pageDocument(rows, limit, rendered, (row) => [row.call_id]);
}

const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null;

const rendered = (row: JobRow): string =>
  JSON.stringify({
    job_id: row.job_id,
    kind: row.kind,
    state: row.state,
    organization_id: row.organization_id,
    call_id: row.call_id,
    agent_id: row.agent_id,
    dialer: row.dialer,
    worker_id: row.worker_id,
    epoch: Number(row.epoch),
    available_at: row.available_at.toISOString(),
    lease_expires_at: timeOf(row.lease_expires_at),
    cancel_requested_at: timeOf(row.cancel_requested_at),
    finished_at: timeOf(row.finished_at),
  } satisfies WorkerJobRecord);
