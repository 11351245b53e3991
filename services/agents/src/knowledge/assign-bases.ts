import type { AgentKnowledgeBases, AgentKnowledgeBasesRecord } from '@parley/contract';
import { conflict, fieldErrors, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import type { OutgoingContext } from '@parley/runtime';
import { auditEvent, type AuditActor } from '@parley/service';
import { findWorkspaceId, type Dependencies } from '../agents';
import {
  findAgentNaming,
  findAssigned,
  holdBases,
  lockAgentProject,
  putAssigned,
  reserveBase,
} from './knowledge-bases.sql';

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
  await db.transaction(async (tx) => {
    // Held while the other service is asked, so that none of them is deleted before this transaction ends.
    await holdBases(tx, added);
    const known =
      added.length === 0 ? [] : await knowledge.owned({ organizationId, projectId: project_id }, added, context);
    refuseMissing(ids.flatMap((id, index) => (added.includes(id) && !known.includes(id) ? [index] : [])));
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

function refuseMissing(positions: readonly number[]): void {
  if (positions.length === 0) return;
  throw fieldErrors(
    positions.map((position) => {
      const path = `knowledge_base_ids[${position}]`;
      const message = `${path} is not a knowledge base of the agent's project`;
      return { path, code: 'not_allowed' as const, message };
    }),
  );
}

/**
 * An agent to which a knowledge base is assigned, which therefore must not be deleted; empty: none.
 * @throws AppError ConflictError while it is being assigned: waiting could deadlock, because the assignment asks the service that deletes it
 */
export function findAgentWithBase(
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  knowledgeBaseId: string,
): Promise<string> {
  return db.transaction(async (tx) => {
    if (!(await reserveBase(tx, knowledgeBaseId))) throw conflict('the knowledge base is being assigned to an agent');
    return (await findAgentNaming(tx, organizationId, knowledgeBaseId)) ?? '';
  });
}

const view = (agentId: string, ids: readonly string[]): string =>
  JSON.stringify({ agent_id: agentId, knowledge_base_ids: [...ids] } satisfies AgentKnowledgeBasesRecord);
