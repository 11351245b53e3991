import type { Endpoint } from '../domain/endpoint';
import type { Dependencies } from './dependencies';
import { endpointForRead } from './find-endpoint';

/** GET /v1/agent-endpoints/{agent_endpoint_id}. NotFoundError. */
export function getEndpoint({ db }: Dependencies, organizationId: string, id: string): Promise<Endpoint> {
  return endpointForRead(db, organizationId, id);
}
