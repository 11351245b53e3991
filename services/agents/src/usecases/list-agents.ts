import type { ProjectListQuery } from '@parley/contract';
import { pageDocument, pagePosition } from '@parley/service';
import { listAgentViews } from '../db/list-agents';
import type { Dependencies } from './dependencies';

/** GET /v1/agents: the whole answer as JSON text, newest first. */
export async function listAgents(
  { db }: Dependencies,
  organizationId: string,
  query: ProjectListQuery,
): Promise<string> {
  const { limit, after } = pagePosition(query, ['time', 'text']);
  const [createdAt = '', agentId = ''] = after ?? [];
  const rows = await listAgentViews(db, {
    organizationId,
    projectId: query.project_id ?? '',
    limit,
    after: after === undefined ? undefined : { createdAt, agentId },
  });
  return pageDocument(
    rows,
    limit,
    ({ view }) => view,
    (row) => [row.created_at.toISOString(), row.agent_id],
  );
}
