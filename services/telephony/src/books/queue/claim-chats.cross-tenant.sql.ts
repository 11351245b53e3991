import { chatCarrier } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { selectedCall } from '../calls/call-rows.sql';
import { claimedOf, type ClaimedRow } from './claim.cross-tenant.sql';
import type { ClaimedJob, ClaimScope } from './job.rules';

const chatNeed = `carrier:${chatCarrier}`;

/** Leases chats that wait for a worker, oldest first. A chat is never in a queue. */
export async function claimChats(db: Queryable, scope: ClaimScope, capacity: number): Promise<ClaimedJob[]> {
  if (scope.platform === true || !scope.kinds.includes('call') || !scope.capabilities.includes(chatNeed)) return [];
  const { rows } = await db.query<ClaimedRow>({
    name: 'job-claim-chats',
    text: `with due as materialized (
             select j.job_id from jobs j
             where j.state = 'adoptable' and j.needs @> array['${chatNeed}'] and j.adopt_before > clock_timestamp()
               and ($1::text = '' or j.organization_id = $1::text)
               and j.agent_id <> all($2::text[]) and j.organization_id <> all($3::text[]) and j.needs <@ $4::text[]
             order by j.adopt_before limit $5 for no key update of j skip locked
           ), leased as (
             update jobs set state = 'leased', epoch = jobs.epoch + 1, worker_id = $6, declaration = $7, permitted_at = clock_timestamp(),
               dialer = case when $1::text = '' then 'hosted' else 'own' end, lost_at = null,
               lease_expires_at = clock_timestamp() + make_interval(secs => $8)
             from due where jobs.job_id = due.job_id
             returning jobs.job_id, jobs.kind, jobs.epoch, jobs.organization_id, jobs.call_id)
           select leased.job_id, leased.kind, leased.epoch, ${selectedCall}
           from leased join calls c on c.call_id = leased.call_id and c.organization_id = leased.organization_id`,
    values: [
      ...[scope.organizationId, scope.heldAgents, scope.heldOrganizations, scope.capabilities, capacity],
      ...[scope.workerId, scope.declaration, scope.leaseSeconds],
    ],
  });
  return rows.map(claimedOf);
}
