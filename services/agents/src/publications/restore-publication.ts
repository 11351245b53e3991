import { notFound } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import { findPublishedConfiguration } from './publications.sql';
import { etagOf } from '../etag.rules';
import { versionOf } from './publication-view.rules';
import { changeAgent, restoredDocument, findWorkspaceId, type AgentAnswer, type Dependencies } from '../agents';
import type { NamedPublication } from './read-publications';

/**
 * POST /v1/agents/{agent_id}/publications/{version}/restore: saves what that version was compiled from, which publishes it as
 * the next version against today's catalogue and credentials, or is refused with blockers. History is never rewritten.
 * What stands already is left alone.
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
    { organizationId, agentId, ifMatch, foreign: 404, action: 'agent.publication_restored', body: () => ({}) },
    (stored) => ({
      document: restoredDocument(stored.document, configuration),
      status: stored.status,
      carriesLanguages: false,
    }),
    context,
  );
  return { body: rendered.voiceStackView, etag: etagOf(agent.revision) };
}
