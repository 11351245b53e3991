import { notFound } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import { findPublishedConfiguration } from '../db/publications';
import { etagOf } from '../domain/etag';
import { versionOf } from '../domain/publication-view';
import { restoredDocument } from '../domain/published-configuration';
import { changeAgent } from './change-agent';
import type { AgentAnswer, Dependencies } from './dependencies';
import { workspaceOf } from './find-workspace';
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
  const organizationId = await workspaceOf(dependencies.db, request.organizationId, agentId);
  const configuration =
    version === undefined
      ? undefined
      : await findPublishedConfiguration(dependencies.db, organizationId, agentId, version);
  if (configuration === undefined) throw notFound('publication');
  const { agent, rendered } = await changeAgent(
    dependencies,
    { organizationId, agentId, ifMatch, foreign: 404, body: () => ({}) },
    (stored) => ({
      document: restoredDocument(stored.document, configuration),
      status: stored.status,
      carriesLanguages: false,
    }),
    context,
  );
  return { body: rendered.voiceStackView, etag: etagOf(agent.revision) };
}
