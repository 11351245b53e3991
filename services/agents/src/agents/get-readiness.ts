import { blockerRepairs, neededCapabilities, type AgentReadiness, type Blocker } from '@parley/contract';
import { notFound } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import { configurationFor } from './configuration-for';
import type { Dependencies } from './dependencies';
import { findWorkspaceId } from './find-workspace';
import { missingAddress } from './missing-address';
import { findForChange, findWorkflowsOf } from './read-agent.sql';
import type { StoredAgent } from './stored-agent.rules';

/**
 * GET /v1/agents/{agent_id}/readiness: everything in configuration, workers, credentials and numbers that would refuse a call, a test call or a chat now.
 * @throws AppError NotFoundError; internal_error if a service that has to be asked is unavailable
 */
export async function getReadiness(
  dependencies: Dependencies,
  organizationId: string,
  agentId: string,
  context: OutgoingContext,
): Promise<string> {
  const { db, voiceStack, workers } = dependencies;
  const found = await findForChange(db, await findWorkspaceId(db, organizationId, agentId), agentId);
  if (found === undefined) throw notFound('agent');
  const { agent } = found;
  const { document } = agent;
  const configuration = await configurationFor(dependencies, agent.organizationId, document, context);
  const { published: workflow } = await findWorkflowsOf(db, agent.organizationId, agentId);
  const { blockers, publication } = await voiceStack.preview(configuration, context);
  const { mode, tools } = document;
  const needs = neededCapabilities({ mode, publication, tools, workflow });
  const [checked, missing] = await Promise.all([
    workers.channels(agent, needs, context),
    missingAddress(dependencies, agent, document, context),
  ]);
  const everywhere = [...whySuspended(agent), ...blockers, ...missing];
  const calls = [...everywhere, ...whyInactive(agent)];
  const readiness: AgentReadiness = {
    phone: channel([...calls, ...(checked.hasNumber ? [] : [noNumber]), ...checked.phone]),
    browser: channel([...calls, ...checked.browser]),
    chat: channel([...everywhere, ...checked.chat]),
  };
  return JSON.stringify(readiness);
}

const noNumber: Blocker = { code: 'number_missing', scope: 'number', detail: 'the project of the agent has no number' };

const whySuspended = ({ status }: StoredAgent): Blocker[] =>
  status === 'suspended'
    ? [{ code: 'agent_suspended', scope: 'agent', detail: 'an operator suspended the agent' }]
    : [];

/** Inactive agents can chat. */
const whyInactive = ({ status }: StoredAgent): Blocker[] =>
  status === 'inactive' ? [{ code: 'agent_inactive', scope: 'agent', detail: 'the agent is inactive' }] : [];

const channel = (blockers: readonly Blocker[]): AgentReadiness['phone'] => ({
  ok: blockers.length === 0,
  blockers: blockers.map(({ code, scope, detail }) => ({ code, scope, detail, repair: blockerRepairs[code] })),
});
