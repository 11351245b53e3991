import type { Queryable } from '@parley/runtime';

/**
 * Whether an agent has calls that are due, dialled or talking. Outgoing ones have a job, however long ago they were booked; an incoming one is as old as its
 * conversation, so that only the newest calls of the agent are read.
 */
export async function hasLiveCalls(db: Queryable, organizationId: string, agentId: string): Promise<boolean> {
  const { rows } = await db.query<{ live: boolean }>({
    name: 'agent-has-live-calls',
    text: `select exists (
               select from jobs where organization_id = $1 and agent_id = $2 and state = 'queued' and available_at <= now()
             ) or exists (
               select from jobs where organization_id = $1 and agent_id = $2 and state = 'leased'
             ) or exists (
               select from jobs where organization_id = $1 and agent_id = $2 and state = 'adoptable'
             ) or exists (
               select from calls where organization_id = $1 and agent_id = $2 and call_id > ring_id_at('call', now() - interval '3 hours')
                 and status in ('queued', 'dialing', 'answered', 'ended')
                 and (direction = 'inbound' or status <> 'queued')
             ) as live`,
    values: [organizationId, agentId],
  });
  return rows[0]?.live === true;
}
