import type { Queryable } from '@parley/runtime';

export interface JobRow {
  readonly job_id: string;
  readonly kind: 'call' | 'inbound';
  readonly state: 'queued' | 'adoptable' | 'leased' | 'done';
  readonly organization_id: string;
  readonly call_id: string;
  readonly agent_id: string;
  readonly dialer: 'hosted' | 'own' | 'platform';
  readonly worker_id: string | null;
  readonly epoch: string;
  readonly available_at: Date;
  readonly lease_expires_at: Date | null;
  readonly cancel_requested_at: Date | null;
  readonly finished_at: Date | null;
}

export interface JobFilter {
  /** Filters; an empty string means no filter. */
  readonly organizationId: string;
  readonly state: string;
  /** Only leased jobs of this worker. */
  readonly workerId: string;
  /** Only jobs of calls that are older than this one. */
  readonly before: string;
  readonly limit: number;
}

const columns = `j.job_id, j.kind, j.state, j.organization_id, j.call_id, j.agent_id, j.dialer, j.worker_id, j.epoch, j.available_at,
  j.lease_expires_at, j.cancel_requested_at, j.finished_at`;

/**
 * Jobs in the order of their calls, newest first. With an organization they are found through its calls. Not a named prepared statement, because the text
 * depends on the filters.
 */
export async function listJobRows(db: Queryable, filter: JobFilter): Promise<JobRow[]> {
  const { organizationId, state, workerId, before, limit } = filter;
  const values: unknown[] = [limit];
  const ofCalls = organizationId !== '';
  const id = ofCalls ? 'c.call_id' : 'j.call_id';
  const conditions = [
    ['c.organization_id =', organizationId],
    ['j.state =', state],
    ["j.state = 'leased' and j.worker_id =", workerId],
    [`${id} <`, before],
  ].flatMap(([condition, value]) => (value === '' ? [] : [`${condition} $${values.push(value)}`]));
  const { rows } = await db.query<JobRow>({
    text: `select ${columns} from ${ofCalls ? 'calls c join jobs j on j.call_id = c.call_id' : 'jobs j'}
           where ${['true', ...conditions].join(' and ')} order by ${id} desc limit $1`,
    values,
  });
  return rows;
}
