import type { Queryable } from '@parley/runtime';

/** A job that no worker can conduct; see `lockUnserved`. */
export interface UnservedJob {
  readonly organizationId: string;
  readonly jobId: string;
  readonly callId: string;
  readonly needs: readonly string[];
  readonly state: 'queued';
}

/** Workers without a free slot do not claim, so their declarations are refreshed from their leases. */
export async function touchBusyDeclarations(db: Queryable): Promise<void> {
  await db.query({
    name: 'worker-capabilities-touch',
    text: `update worker_capabilities w set last_seen = now()
           from (select distinct case dialer when 'own' then organization_id else '' end as workers_of, kind, declaration from jobs
                 where state = 'leased' and lease_expires_at > now() and declaration is not null) busy
           where w.organization_id = busy.workers_of and w.kind = busy.kind and w.digest = busy.declaration
             and w.last_seen < now() - interval '1 minute'`,
  });
}

/**
 * Locks and returns a job that has been due for this long without any worker that could take it; jobs locked by other processes are skipped. Jobs of suspended
 * organizations and agents wait instead.
 */
export async function lockUnserved(
  tx: Queryable,
  seconds: number,
  held: { readonly organizationIds: readonly string[]; readonly agentIds: readonly string[] },
): Promise<UnservedJob | undefined> {
  const { rows } = await tx.query<{ organization_id: string; job_id: string; call_id: string; needs: string[] }>({
    name: 'job-lock-unserved',
    text: `select unserved.* from organization_queues l cross join lateral (
             select j.organization_id, j.job_id, j.call_id, j.needs from jobs j
             where j.organization_id = l.organization_id and j.state = 'queued'
               and j.available_at <= now() - make_interval(secs => $1) and j.agent_id <> all($3::text[])
               and not exists (
                 select from worker_capabilities w
                 where w.organization_id = case j.dialer when 'own' then j.organization_id else '' end and w.kind = j.kind
                   and w.last_seen > now() - make_interval(secs => $1) and j.needs <@ w.capabilities)
             limit 1 for no key update of j skip locked) unserved
           where l.organization_id <> all($2::text[])
           order by l.last_served_at, l.organization_id limit 1`,
    values: [seconds, held.organizationIds, held.agentIds],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  const { organization_id: organizationId, job_id: jobId, call_id: callId, needs } = row;
  return { organizationId, jobId, callId, needs, state: 'queued' };
}
