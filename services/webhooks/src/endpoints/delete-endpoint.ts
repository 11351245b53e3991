import { requireMatch } from '@parley/service';
import type { Dependencies } from './dependencies';
import { etagOf, type Endpoint } from './endpoint.rules';
import { markEndpointDeleted } from './endpoints.sql';
import { endpointForDeletion } from './find-endpoint';
import { cancelWaiting, wakeLane } from './waiting-deliveries.sql';

/**
 * DELETE /v1/agent-endpoints/{agent_endpoint_id}: what waits is canceled, what is under way ends within 15 s, the secrets
 * are gone. Answers the endpoint as it was. NotFoundError, for a foreign one too; ConflictError when If-Match is stale.
 */
export async function deleteEndpoint(
  { db, nudge }: Dependencies,
  organizationId: string,
  endpointId: string,
  ifMatch: string,
): Promise<Endpoint> {
  const endpoint = await db.transaction(async (tx) => {
    const stored = await endpointForDeletion(tx, organizationId, endpointId);
    requireMatch(ifMatch, etagOf(stored));
    await markEndpointDeleted(tx, stored.organizationId, stored.id);
    await cancelWaiting(tx, stored.organizationId, stored.id);
    await wakeLane(tx, stored.organizationId, stored.id);
    return stored;
  });
  nudge([endpoint.id]);
  return endpoint;
}
