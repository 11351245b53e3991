import { notFound } from '@parley/errors';
import { findAgentView, findVoiceStackView, type StoredView } from '../db/read-agent';
import { etagOf } from '../domain/etag';
import type { AgentAnswer, Dependencies } from './dependencies';
import { workspaceOf } from './find-workspace';

/** GET /v1/agents/{agent_id}: NotFoundError when absent or foreign, from the same statement. */
export async function getAgent({ db }: Dependencies, organizationId: string, agentId: string): Promise<AgentAnswer> {
  return answerOf(await findAgentView(db, await workspaceOf(db, organizationId, agentId), agentId));
}

/** GET /v1/agents/{agent_id}/voice-stack (section 2.3). */
export async function getVoiceStack(
  { db }: Dependencies,
  organizationId: string,
  agentId: string,
): Promise<AgentAnswer> {
  return answerOf(await findVoiceStackView(db, await workspaceOf(db, organizationId, agentId), agentId));
}

function answerOf(view: StoredView | undefined): AgentAnswer {
  if (view === undefined) throw notFound('agent');
  return { body: view.json, etag: etagOf(view.revision) };
}
