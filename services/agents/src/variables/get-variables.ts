import type { VariablesConfig } from '@parley/contract';
import { notFound } from '@parley/errors';
import { findVariables } from './variables.sql';
import { etagOf } from '../etag.rules';
import { variablesView } from './variables.rules';
import { findWorkspaceId, type AgentAnswer, type Dependencies } from '../agents';

/**
 * GET /v1/agents/{agent_id}/variables (docs/reference/variables-and-workflows.md). @throws NotFoundError if the agent does not exist or belongs to another
 * organization
 */
export async function getVariables(
  { db }: Dependencies,
  organizationId: string,
  agentId: string,
): Promise<AgentAnswer> {
  const row = await findVariables(db, await findWorkspaceId(db, organizationId, agentId), agentId);
  if (row === undefined) throw notFound('agent');
  const view = variablesView({
    agentId,
    config: row.variables === null ? undefined : (JSON.parse(row.variables) as VariablesConfig),
    publishedVersion: row.published_version,
    publishedAt: row.published_at?.toISOString() ?? '',
  });
  return { body: JSON.stringify(view), etag: etagOf(row.revision) };
}
