import { notFound } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import { findVoiceStackView, type StoredView } from './read-agent.sql';
import { etagOf } from '../etag.rules';
import type { AgentAnswer, Dependencies } from './dependencies';
import { findWorkspaceId } from './find-workspace';
import { withRunnable } from './runnable-view';

/** GET /v1/agents/{agent_id}. One statement finds neither absent agents nor those of other organizations. @throws NotFoundError */
export async function getAgent(
  { db, views }: Dependencies,
  organizationId: string,
  agentId: string,
): Promise<AgentAnswer> {
  return answerOf(await views.submit(await findWorkspaceId(db, organizationId, agentId), agentId));
}

/** GET /v1/agents/{agent_id}/voice-stack (docs/reference/voice-stack.md#read). */
export async function getVoiceStack(
  dependencies: Dependencies,
  organizationId: string,
  agentId: string,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const { db } = dependencies;
  const found = await findVoiceStackView(db, await findWorkspaceId(db, organizationId, agentId), agentId);
  if (found === undefined) throw notFound('agent');
  const body = await withRunnable(dependencies, { ...found, stack: found.json }, context);
  return { body, etag: etagOf(found.revision) };
}

/** GET /v1/agents/{agent_id}/configuration: agent and voice stack of the same revision. */
export async function getConfiguration(
  dependencies: Dependencies,
  organizationId: string,
  agentId: string,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const { db } = dependencies;
  const found = await findVoiceStackView(db, await findWorkspaceId(db, organizationId, agentId), agentId);
  if (found === undefined) throw notFound('agent');
  const voiceStack = await withRunnable(dependencies, { ...found, stack: found.json }, context);
  return { body: `{"agent":${found.agent},"voice_stack":${voiceStack}}`, etag: etagOf(found.revision) };
}

function answerOf(view: StoredView | undefined): AgentAnswer {
  if (view === undefined) throw notFound('agent');
  return { body: view.json, etag: etagOf(view.revision) };
}
