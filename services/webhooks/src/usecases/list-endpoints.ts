import { badRequest } from '@parley/errors';
import { listEndpoints as readEndpoints } from '../db/endpoints';
import type { Endpoint } from '../domain/endpoint';
import type { Dependencies } from './dependencies';
import { pageOf, positionOf, type PageOf, type PageRequest } from './page';

export interface ListEndpoints extends PageRequest {
  readonly organizationId: string;
  /** Empty: every project. */
  readonly projectId: string;
}

/** GET /v1/agent-endpoints, newest first. */
export async function listEndpoints({ db }: Dependencies, request: ListEndpoints): Promise<PageOf<Endpoint>> {
  if (request.organizationId === '') throw badRequest('organization_id is required');
  const { limit, after } = positionOf(request);
  const rows = await readEndpoints(db, request.organizationId, {
    projectId: request.projectId,
    after,
    limit: limit + 1,
  });
  return pageOf(rows, limit);
}
