import type { AgentKnowledgeBases, AgentKnowledgeBasesRecord } from '@parley/contract';
import { fieldErrors, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import type { OutgoingContext } from '@parley/runtime';
import { auditEvent, type AuditActor } from '@parley/service';
import { findWorkspaceId, type Dependencies } from '../agents';
import { findAssigned, lockAgentProject, putAssigned } from './knowledge-bases.sql';

/** GET /v1/agents/{agent_id}/knowledge-bases. */
export async function getAssignedBases(
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  agentId: string,
): Promise<string> {
  const found = await findAssigned(db, await findWorkspaceId(db, organizationId, agentId), agentId);
  if (found === undefined) throw notFound('agent');
  return view(agentId, found.knowledge_base_ids);
}

export interface AssignBases {
  readonly organizationId: string;
  readonly agentId: string;
  readonly actor: AuditActor;
  readonly body: () => AgentKnowledgeBases;
}

/** PUT /v1/agents/{agent_id}/knowledge-bases. @throws AppError BadRequestError naming each knowledge base that does not belong to the agent's project */
export async function assignBases(
  { db, knowledge, onCommit }: Pick<Dependencies, 'db' | 'knowledge' | 'onCommit'>,
  request: AssignBases,
  context: OutgoingContext,
): Promise<string> {
  const { agentId, actor } = request;
  const organizationId = await findWorkspaceId(db, request.organizationId, agentId);
  const before = await findAssigned(db, organizationId, agentId);
  if (before === undefined) throw notFound('agent');
  const { knowledge_base_ids: ids, organization_id = organizationId, project_id = before.project_id } = request.body();
  if (organization_id !== organizationId) throw forbidden();
  if (project_id !== before.project_id) throw forbidden('project_id is not the project of the agent');
  const added = ids.filter((id) => !before.knowledge_base_ids.includes(id));
  const known =
    added.length === 0 ? [] : await knowledge.owned({ organizationId, projectId: project_id }, added, context);
  const missing = ids.flatMap((id, index) => (added.includes(id) && !known.includes(id) ? [index] : []));
  if (missing.length > 0)
    throw fieldErrors(
      missing.map((index) => {
        const path = `knowledge_base_ids[${index}]`;
        return {
          path,
          code: 'not_allowed' as const,
          message: `${path} is not a knowledge base of the agent's project`,
        };
      }),
    );
  await db.transaction(async (tx) => {
    const agent = await lockAgentProject(tx, organizationId, agentId);
    if (agent === undefined) throw notFound('agent');
    await putAssigned(tx, organizationId, agentId, ids);
    const detail = { knowledge_base_ids: ids };
    const act = { organizationId, action: 'agent.knowledge_bases_set', subject: agentId, detail };
    await append(tx, [auditEvent(act, agent.now, actor)]);
  });
  onCommit();
  return view(agentId, ids);
}

const view = (agentId: string, ids: readonly string[]): string =>
  JSON.stringify({ agent_id: agentId, knowledge_base_ids: [...ids] } satisfies AgentKnowledgeBasesRecord);
