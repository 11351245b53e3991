import type { WorkflowReadQuery } from '@parley/contract';
import { notFound } from '@parley/errors';
import { findWorkflow, listVersions } from './workflows.sql';
import { versionRange, workflowRead } from './workflow.rules';
import { findWorkspaceId, type Dependencies } from '../agents';

/**
 * GET /v1/agents/{agent_id}/workflow (docs/reference/variables-and-workflows.md), as JSON text. @throws NotFoundError if the agent does not exist or belongs to
 * another organization
 */
export async function getWorkflow(
  { db }: Dependencies,
  { organizationId, agentId }: { readonly organizationId: string; readonly agentId: string },
  { offset, limit }: Pick<WorkflowReadQuery, 'offset' | 'limit'>,
): Promise<string> {
  const found = await findWorkflow(db, await findWorkspaceId(db, organizationId, agentId), agentId);
  if (found === undefined) throw notFound('agent');
  const { workflow } = found;
  const latest = workflow.publishedVersion;
  const list = (range: { first: number; last: number }) => listVersions(db, workflow.organizationId, agentId, range);
  const versions = latest > offset ? await list(versionRange(latest, { offset, limit })) : [];
  const [published] = offset === 0 ? versions : latest === 0 ? [] : await list({ first: latest, last: latest });
  return JSON.stringify(workflowRead(workflow, { offset, limit, versions, published }));
}
