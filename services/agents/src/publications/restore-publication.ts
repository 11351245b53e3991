import { notFound } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import { findPublishedConfiguration } from './publications.sql';
import { etagOf } from '../etag.rules';
import { versionOf } from './publication-view.rules';
import { changeAgent, restoredDocument, findWorkspaceId, type AgentAnswer, type Dependencies } from '../agents';
import type { NamedPublication } from './read-publications';

/**
 * POST /v1/agents/{agent_id}/publications/{version}/restore: saves the configuration from which that version was compiled. This publishes it as the next
 * version, compiled with the current catalogue and credentials, or is refused with blockers. The history is not changed. If the agent already has this
 * configuration, nothing is written.
 */
export async function restorePublication(
  dependencies: Dependencies,
  request: NamedPublication & { readonly ifMatch: string },
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const { agentId, ifMatch } = request;
  const version = versionOf(request.version);
  const organizationId = await findWorkspaceId(dependencies.db, request.organizationId, agentId);
  const configuration =
    version === undefined
      ? undefined
      : await findPublishedConfiguration(dependencies.db, organizationId, agentId, version);
  if (configuration === undefined) throw notFound('publication');
  const { agent, rendered } = await changeAgent(
    dependencies,
    { organizationId, agentId, ifMatch, action: 'agent.publication_restored', body: () => ({}) },
    (stored) => ({
      document: restoredDocument(stored.document, configuration),
      status: stored.status,
      carriesLanguages: false,
    }),
    context,
  );
  return { body: rendered.voiceStackView, etag: etagOf(agent.revision) };
}
