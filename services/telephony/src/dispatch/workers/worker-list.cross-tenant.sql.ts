import type { Queryable } from '@parley/runtime';

/** Workers of one organization, or hosted ones, that have the same declaration. */
export interface WorkerRow {
  /** Empty for hosted workers. */
  readonly organization_id: string;
  readonly kind: 'call' | 'simulation';
  readonly digest: string;
  readonly capabilities: readonly string[];
  readonly last_seen: Date;
  readonly seen: boolean;
  readonly jobs: number;
  readonly worker_ids: readonly string[];
}

export interface WorkerPosition {
  readonly organizationId: string;
  readonly kind: string;
  readonly digest: string;
}

/** Maximum of worker ids returned. */
const mostWorkers = 100;

/**
 * In the order of the primary key, so hosted workers come first.
 * @param organizationId only its workers; empty for all
 */
export async function listWorkerRows(
  db: Queryable,
  organizationId: string,
  after: WorkerPosition,
  presentSeconds: number,
  limit: number,
): Promise<WorkerRow[]> {
  const { rows } = await db.query<WorkerRow>({
    name: 'workers-list',
    text: `with held as materialized (
             select declaration, case when dialer = 'own' then organization_id else '' end as workers_of, count(*)::integer as jobs,
               (array_agg(distinct worker_id))[1:${mostWorkers}] as worker_ids
             from jobs where state = 'leased' group by 1, 2)
           select w.organization_id, w.kind, w.digest, w.capabilities, w.last_seen,
             w.last_seen > now() - make_interval(secs => $5) as seen,
             coalesce(h.jobs, 0) as jobs, coalesce(h.worker_ids, '{}') as worker_ids
           from worker_capabilities w
           left join held h on h.declaration = w.digest and h.workers_of = w.organization_id and w.kind = 'call'
           where (w.organization_id, w.kind, w.digest) > ($2, $3, $4) and ($1 = '' or w.organization_id = $1)
           order by w.organization_id, w.kind, w.digest limit $6`,
    values: [organizationId, after.organizationId, after.kind, after.digest, presentSeconds, limit],
  });
  return rows;
}
