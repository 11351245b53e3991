import { append } from '@parley/outbox';
import { auditEvent, requireMatch, type AuditActor } from '@parley/service';
import type { Dependencies } from './dependencies';
import { etagOf, hostOf, type Endpoint } from './endpoint.rules';
import { markEndpointDeleted } from './endpoints.sql';
import { endpointForDeletion } from './read-endpoints';
import { cancelWaiting, wakeQueue } from './waiting-deliveries.sql';

export interface DeleteEndpoint {
  readonly organizationId: string;
  readonly endpointId: string;
  /** The If-Match header; empty: the request is unconditional. */
  readonly ifMatch: string;
  readonly actor: AuditActor;
}

/**
 * DELETE /v1/agent-endpoints/{agent_endpoint_id}: waiting deliveries are canceled, attempts in progress end within 15 s, and the secrets are deleted. Returns
 * the endpoint as it was before. @throws NotFoundError, also for an endpoint of another organization; ConflictError for a stale If-Match
 */
export async function deleteEndpoint(
  { db, wake, clock, onAudit }: Dependencies,
  { organizationId, endpointId, ifMatch, actor }: DeleteEndpoint,
): Promise<Endpoint> {
  const endpoint = await db.transaction(async (tx) => {
    const stored = await endpointForDeletion(tx, organizationId, endpointId);
    requireMatch(ifMatch, etagOf(stored));
    await markEndpointDeleted(tx, stored.organizationId, stored.id);
    await cancelWaiting(tx, stored.organizationId, stored.id);
    await wakeQueue(tx, stored.organizationId, stored.id);
    const detail = { webhook_host: hostOf(stored.webhookUrl) };
    const act = { organizationId: stored.organizationId, action: 'agent_endpoint.deleted', subject: stored.id, detail };
    await append(tx, [auditEvent(act, clock.now(), actor)]);
    return stored;
  });
  onAudit();
  wake([endpoint.id]);
  return endpoint;
}
