import type { Queryable } from '@parley/runtime';
import { laneLock, laneRow } from '../lanes';

export interface NewJob {
  readonly jobId: string;
  readonly callId: string;
  readonly agentId: string;
  readonly scheduledAt: Date | null;
}

/** Makes a call wait in its organization's lane. The hot row is counted up after it. */
export async function insertJob(tx: Queryable, organizationId: string, job: NewJob): Promise<void> {
  await tx.query({
    name: 'job-insert',
    text: `with lane_lock as (select ${laneLock('$1::text')}), lane as (${laneRow('$1::text', 'lane_lock')})
           insert into jobs (organization_id, job_id, call_id, agent_id, kind, available_at)
           select $1::text, $2::text, $3::text, $4::text, 'call', coalesce($5::timestamptz, now())
           from lane_lock where (select count(*) from lane) >= 0`,
    values: [organizationId, job.jobId, job.callId, job.agentId, job.scheduledAt],
  });
}
