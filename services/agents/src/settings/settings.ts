import { createHash } from 'node:crypto';
import { settingsOfAgents, type AgentSettingName } from '@parley/contract';
import { notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { auditEvent, requireMatch, type AuditActor } from '@parley/service';
import { checkWorkspace, findWorkspaceId, type AgentAnswer, type Dependencies, type Workspace } from '../agents';
import { findSetting, lockSettings, putSetting, removeSetting } from './settings.sql';

interface OfAgent {
  readonly organizationId: string;
  readonly agentId: string;
}

/** GET /v1/agents/{agent_id}/<name>. The defaults, if the setting was never saved. @throws NotFoundError for an absent or foreign agent */
export async function getSetting(
  { db }: Pick<Dependencies, 'db'>,
  { organizationId, agentId }: OfAgent,
  name: AgentSettingName,
): Promise<AgentAnswer> {
  const found = await findSetting(db, await findWorkspaceId(db, organizationId, agentId), agentId, name);
  if (found === undefined) throw notFound('agent');
  return answerOf(name, found.value);
}

interface ChangeSetting extends OfAgent {
  readonly ifMatch: string;
  readonly actor: AuditActor;
  /** The validated body. Absent: the setting is reset to its defaults. */
  readonly body?: () => Workspace;
}

/** PUT and DELETE. Neither publishes, and calls in progress keep what they pinned. @throws ConflictError if If-Match is stale */
export async function changeSetting(
  { db, onCommit }: Pick<Dependencies, 'db' | 'onCommit'>,
  request: ChangeSetting,
  name: AgentSettingName,
): Promise<AgentAnswer> {
  const { agentId, actor, ifMatch } = request;
  const organizationId = await findWorkspaceId(db, request.organizationId, agentId);
  const stored = await findSetting(db, organizationId, agentId, name);
  if (stored === undefined) throw notFound('agent');
  const value = request.body && valueOf(name, { organizationId, projectId: stored.project_id }, request.body());
  const changed = await db.transaction(async (tx) => {
    await lockSettings(tx, organizationId, agentId);
    const before = await findSetting(tx, organizationId, agentId, name);
    if (before === undefined) throw notFound('agent');
    requireMatch(ifMatch, answerOf(name, before.value).etag);
    if (before.value === (value ?? null)) return false;
    if (value === undefined) await removeSetting(tx, organizationId, agentId, name);
    else await putSetting(tx, organizationId, agentId, name, value);
    const action = value === undefined ? 'agent.setting_deleted' : 'agent.setting_replaced';
    await append(tx, [
      auditEvent({ organizationId, action, subject: agentId, detail: { setting: name } }, before.now, actor),
    ]);
    return true;
  });
  if (changed) onCommit();
  return answerOf(name, value ?? null);
}

/** The setting as JSON text, with its defaults. */
function valueOf(name: AgentSettingName, agent: Parameters<typeof checkWorkspace>[0], body: Workspace): string {
  checkWorkspace(agent, body);
  const { organization_id: _organization, project_id: _project, ...given } = body;
  return JSON.stringify({ ...settingsOfAgents[name].defaults, ...given });
}

function answerOf(name: AgentSettingName, value: string | null): AgentAnswer {
  const body = value ?? JSON.stringify(settingsOfAgents[name].defaults);
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
