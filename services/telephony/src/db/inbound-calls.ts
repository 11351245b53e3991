import type { Queryable } from '@parley/runtime';

/** The call that a gateway told of before under this name. */
export async function findInboundCall(
  db: Queryable,
  organizationId: string,
  gatewayCallId: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ call_id: string }>({
    name: 'inbound-find',
    text: 'select call_id from inbound_calls where organization_id = $1 and gateway_call_id = $2',
    values: [organizationId, gatewayCallId],
  });
  return rows[0]?.call_id;
}

/** Takes the name for a call; false when another request was first (waits for its commit). */
export async function nameInboundCall(
  tx: Queryable,
  organizationId: string,
  gatewayCallId: string,
  callId: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'inbound-name',
    text: `insert into inbound_calls (organization_id, gateway_call_id, call_id) values ($1, $2, $3)
           on conflict (organization_id, gateway_call_id) do nothing`,
    values: [organizationId, gatewayCallId, callId],
  });
  return rowCount > 0;
}

export interface HeldByGateway {
  readonly jobId: string;
  readonly organizationId: string;
  readonly callId: string;
  readonly agentId: string;
  /** The key of the gateway. */
  readonly holder: string;
  readonly leaseSeconds: number;
}

/** The job of an incoming call: held from the beginning, never in a lane, never handed out. */
export async function insertHeldJob(tx: Queryable, job: HeldByGateway): Promise<void> {
  await tx.query({
    name: 'inbound-job',
    text: `insert into jobs (job_id, organization_id, call_id, agent_id, kind, state, available_at, epoch, worker_id,
             lease_expires_at, permitted_at)
           values ($1, $2, $3, $4, 'inbound', 'leased', clock_timestamp(), 1, $5,
             clock_timestamp() + make_interval(secs => $6), clock_timestamp())`,
    values: [job.jobId, job.organizationId, job.callId, job.agentId, job.holder, job.leaseSeconds],
  });
}
