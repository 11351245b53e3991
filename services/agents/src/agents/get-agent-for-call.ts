import type { Blocker } from '@parley/contract';
import { notFound } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import { findForCall, findForChange, type CallRow } from './read-agent.sql';
import type { AgentDocument } from './agent-document.rules';
import { configurationFor } from './configuration-for';
import type { Dependencies } from './dependencies';
import { findWorkspaceId } from './find-workspace';
import { missingAddress } from './missing-address';

export interface AgentForCall extends CallRow {
  /** Hexadecimal; empty if it cannot be published. */
  readonly sha256: string;
  /** If not empty, the agent cannot be used for calls. */
  readonly blockers: readonly Blocker[];
}

/**
 * Returns what the admission of a call needs. A call pins the current publication; an agent that was never published, or whose stack could not be used when it
 * was saved, is compiled now (docs/reference/agents.md).
 * @throws NotFoundError if the agent does not exist or belongs to another organization
 */
export async function getAgentForCall(
  { db, voiceStack, credentials, endpoints }: Dependencies,
  organizationId: string,
  agentId: string,
  context: OutgoingContext,
): Promise<AgentForCall> {
  const row = await findForCall(db, await findWorkspaceId(db, organizationId, agentId), agentId);
  if (row === undefined) throw notFound('agent');
  const workspace = { organizationId: row.organization_id, projectId: row.project_id };
  const missing = await missingAddress({ endpoints }, workspace, row, context);
  if (row.document === '') return { ...row, sha256: row.published_sha256, blockers: missing };
  const document = JSON.parse(row.document) as AgentDocument;
  const configuration = await configurationFor({ credentials }, row.organization_id, document, context);
  const { sha256, blockers } =
    row.published_version === 0
      ? await voiceStack.publish(configuration, context)
      : { sha256: row.published_sha256, ...(await voiceStack.draft(configuration, context)) };
  return { ...row, sha256, blockers: [...blockers, ...missing] };
}

/**
 * Compiles the stored configuration of an agent and stores it as a publication without a version. @throws NotFoundError if it does not exist or belongs to
 * another organization
 */
export async function compileStored(
  { db, voiceStack, credentials }: Pick<Dependencies, 'db' | 'voiceStack' | 'credentials'>,
  organizationId: string,
  agentId: string,
  context: OutgoingContext,
): Promise<{ readonly sha256: string; readonly blockers: readonly Blocker[] }> {
  const found = await findForChange(db, organizationId, agentId);
  if (found === undefined) throw notFound('agent');
  const { document } = found.agent;
  return voiceStack.publish(await configurationFor({ credentials }, organizationId, document, context), context);
}
