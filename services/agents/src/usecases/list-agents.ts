import { limits } from '@parley/contract';
import { badRequest } from '@parley/errors';
import { decodeCursor, encodeCursor } from '@parley/runtime';
import { listAgentViews } from '../db/list-agents';
import type { Dependencies } from './dependencies';

export interface ListAgents {
  readonly organizationId: string;
  /** Empty: every project. */
  readonly projectId: string;
  /** 1 to 100; 0 stands for the default. */
  readonly limit: number;
  /** Empty for the first page. */
  readonly cursor: string;
}

/** GET /v1/agents: the whole answer as JSON text, newest first; a page ends at the limit or at 1 MiB (decisions section 1). */
export async function listAgents({ db }: Dependencies, request: ListAgents): Promise<string> {
  if (request.organizationId === '') throw badRequest('organization_id is required');
  const limit = request.limit === 0 ? limits.pageSizeDefault : request.limit;
  if (limit < limits.pageSize.min || limit > limits.pageSize.max)
    throw badRequest(`limit must be ${limits.pageSize.min} to ${limits.pageSize.max}`);
  const rows = await listAgentViews(db, {
    organizationId: request.organizationId,
    projectId: request.projectId,
    limit,
    maxBytes: limits.pageBytes,
    after: request.cursor === '' ? undefined : positionOf(request.cursor),
  });
  const last = rows.at(-1);
  const more = last !== undefined && last.available > rows.length;
  const next = more ? JSON.stringify(encodeCursor([last.created_at.toISOString(), last.agent_id])) : 'null';
  return `{"data":[${rows.map((row) => row.json).join(',')}],"next_cursor":${next}}`;
}

function positionOf(cursor: string): { createdAt: string; agentId: string } {
  const [createdAt = '', agentId = ''] = decodeCursor(cursor, 2, ['time', 'text']);
  return { createdAt, agentId };
}
