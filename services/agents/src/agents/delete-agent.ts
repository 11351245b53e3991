import { conflict } from '@parley/errors';
import { append } from '@parley/outbox';
import type { OutgoingContext } from '@parley/runtime';
import { auditEvent, requireMatch } from '@parley/service';
import { etagOf } from '../etag.rules';
import { loadForWrite } from './change-agent';
import { removeAgent } from './write-agent.sql';
import type { AgentAnswer, Dependencies } from './dependencies';
import { render } from './rendered.rules';

export interface DeleteAgent {
  readonly organizationId: string;
  readonly agentId: string;
  /** The If-Match header; empty: not conditional. */
  readonly ifMatch: string;
}

/** How often a deletion is attempted if other changes interfere. */
const ATTEMPTS = 4;

/**
 * DELETE /v1/agents/{agent_id}: deletes the agent with its publications and workflow, and returns it. Calls continue with the configuration that they pinned,
 * and their records are kept.
 * @throws AppError ConflictError while one of its calls is in progress or if If-Match is stale; 403 for another organization's agent, 404 for an absent one
 */
export async function deleteAgent(
  dependencies: Dependencies,
  request: DeleteAgent,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const { db, calls } = dependencies;
  const { agentId } = request;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { agent, now } = await loadForWrite(dependencies, { ...request, foreign: 403 });
    const { organizationId, revision } = agent;
    requireMatch(request.ifMatch, etagOf(revision));
    if (await calls.of(organizationId, agentId, context))
      throw conflict('the agent has live calls: cancel them or wait for their end');
    const removed = await db.transaction(async (tx) => {
      if (!(await removeAgent(tx, organizationId, agentId, revision))) return false;
      const act = {
        organizationId,
        action: 'agent.deleted',
        subject: agentId,
        detail: { project_id: agent.projectId },
      };
      await append(tx, [auditEvent(act, new Date(now), context)]);
      return true;
    });
    if (!removed) continue;
    dependencies.onCommit();
    return { body: render(agent).view, etag: etagOf(revision) };
  }
  throw conflict('the agent was changed by another request: read it again');
}
