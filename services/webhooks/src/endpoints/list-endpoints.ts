import type { ProjectListQuery } from '@parley/contract';
import { pageDocument, pagePosition } from '@parley/service';
import type { Dependencies } from './dependencies';
import { endpointRecord } from './endpoint-views.rules';
import { listEndpoints as readEndpoints } from './endpoints.sql';

/** GET /v1/agent-endpoints, newest first. @throws BadRequestError for a cursor */
export async function listEndpoints(
  { db }: Dependencies,
  organizationId: string,
  query: ProjectListQuery,
): Promise<string> {
  const { limit, after: [after] = [''] } = pagePosition(query);
  const page = { projectId: query.project_id ?? '', after: after ?? '', limit: limit + 1 };
  const rows = await readEndpoints(db, organizationId, page);
  return pageDocument(
    rows,
    limit,
    (row) => JSON.stringify(endpointRecord(row)),
    ({ id }) => [id],
  );
}
