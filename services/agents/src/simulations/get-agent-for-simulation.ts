import { badRequest, notFound } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import { compileStored, getAgentForCall, type AgentForCall, type Dependencies } from '../agents';
import { publicationSha256 } from '../publications';
import { draftOfAgent } from '../workflows';

export interface SimulationQuestion {
  readonly organizationId: string;
  readonly agentId: string;
  /** published, draft or version. */
  readonly target: string;
  /** The version if target is `version`. */
  readonly version: number;
}

/**
 * Returns an agent for a simulated conversation. `published`: as in a call. `draft`: its configuration and its workflow draft as stored, with version 0.
 * `version`: an earlier publication with the current tuning, tools and workflow, because calls pin these separately and publications do not contain them.
 * @throws AppError NotFoundError if the agent or version does not exist; BadRequestError if the workflow draft is not valid
 */
export async function getAgentForSimulation(
  dependencies: Dependencies,
  { organizationId, agentId, target, version }: SimulationQuestion,
  context: OutgoingContext,
): Promise<AgentForCall> {
  const agent = await getAgentForCall(dependencies, organizationId, agentId, context);
  const owner = agent.organization_id;
  if (target === 'version') {
    const sha256 = await publicationSha256(dependencies.db, owner, agentId, version);
    if (sha256 === undefined) throw notFound('publication');
    return { ...agent, published_version: version, sha256, blockers: [] };
  }
  if (target === 'draft') {
    const { sha256, blockers } = await compileStored(dependencies, owner, agentId, context);
    const workflow = await draftOfAgent(dependencies, owner, agentId);
    return { ...agent, published_version: 0, sha256, blockers, workflow: workflow ?? agent.workflow };
  }
  if (target !== 'published') throw badRequest('target must be published, draft or version');
  return agent;
}
