import type { AgentVariablesUpdate } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { etagOf } from '../etag.rules';
import { checkBaseRevision, storedConfig, variablesView } from './variables.rules';
import { changeAgent, type AgentAnswer, type ChangeAgent, type Dependencies } from '../agents';

/**
 * PUT /v1/agents/{agent_id}/variables (docs/reference/variables-and-workflows.md). Always publishes, so that every replacement increments the revision. A
 * configuration that cannot be published is refused with its blockers, and nothing changes.
 */
export async function replaceVariables(
  dependencies: Dependencies,
  request: ChangeAgent<AgentVariablesUpdate>,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const { agent } = await changeAgent(
    dependencies,
    { ...request, action: 'agent.variables_replaced' },
    (stored, body) => {
      checkBaseRevision(body.base_revision, stored.published.version);
      return {
        document: { ...stored.document, variables: storedConfig(body.config) },
        status: stored.status,
        carriesLanguages: false,
        alwaysPublishes: true,
      };
    },
    context,
  );
  const view = variablesView({
    agentId: agent.agentId,
    config: agent.document.variables,
    publishedVersion: agent.published.version,
    publishedAt: agent.published.at,
  });
  return { body: JSON.stringify(view), etag: etagOf(agent.revision) };
}
