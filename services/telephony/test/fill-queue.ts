import type { AgentForCall } from '@parley/proto/agents';
import type { Database } from '@parley/runtime';
import { randomUUID } from 'node:crypto';

export interface Filling {
  readonly count: number;
  /** 0 goes first; 1 is normal. */
  readonly priority?: number;
  /** Seconds until the jobs are due. Negative values make them overdue, by at most 4 s: claims do not scan further back for new jobs. */
  readonly dueInSeconds?: number;
}

/**
 * Inserts `count` queued calls of an agent, as if they had been admitted, but without events. Returns a function from n to the id of the n-th call in due
 * order.
 */
export async function fillQueue(
  db: Database,
  agent: AgentForCall,
  { count, priority = 1, dueInSeconds = -2 }: Filling,
): Promise<(n: number) => string> {
  const filling = `0${randomUUID().replaceAll('-', '').slice(0, 14)}`;
  const id = (prefix: string): string => `'${prefix}_' || $1::text || lpad(n::text, 11, '0')`;
  await db.transaction(async (tx) => {
    await tx.query({
      text: `insert into numbers (number_id, organization_id, project_id, phone_number, provider)
             values ('num_' || $1::text || lpad('1', 11, '0'), $2, $3, '+14155550100', 'simulator') on conflict do nothing`,
      values: [filling, agent.organizationId, agent.projectId],
    });
    await tx.query({
      text: `insert into calls (call_id, organization_id, project_id, agent_id, direction, from_number, to_number, status,
               resource_seq, policy_verdict, mode, publication_version, publication_sha256, tuning, language, recording_enabled,
               cost_micros_per_minute, variables, metadata, created_at, queued_at, updated_at)
             select ${id('call')}, $2, $3, $4, 'outbound', '+14155550100', '+15005550006', 'queued',
               2, 'allowed', 'hosted', 3, $5, '{}', 'en-US', false, 0, '{}', '{}', now(), now(), now()
             from generate_series(1, $6::integer) n`,
      values: [filling, agent.organizationId, agent.projectId, agent.agentId, agent.publicationSha256, count],
    });
    await tx.query({
      text: `insert into jobs (job_id, organization_id, call_id, agent_id, kind, priority, available_at)
             select ${id('job')}, $2, ${id('call')}, $3, 'call', $4,
               clock_timestamp() + make_interval(secs => $5::double precision + n * 0.00001)
             from generate_series(1, $6::integer) n`,
      values: [filling, agent.organizationId, agent.agentId, priority, dueInSeconds, count],
    });
    await tx.query({
      text: `insert into organization_queues (organization_id) values ($1) on conflict do nothing`,
      values: [agent.organizationId],
    });
    await tx.query({
      text: `insert into organization_controls as c (organization_id, queued) values ($1, $2)
             on conflict (organization_id) do update set queued = c.queued + excluded.queued`,
      values: [agent.organizationId, count],
    });
  });
  await db.query({ text: 'analyze jobs, organization_queues, calls' });
  return (n) => `call_${filling}${String(n).padStart(11, '0')}`;
}
