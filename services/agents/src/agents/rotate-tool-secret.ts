import { isWebhookTool, limits, type SecretRotation, type ToolSecret } from '@parley/contract';
import { conflict, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import type { OutgoingContext } from '@parley/runtime';
import { auditEvent } from '@parley/service';
import { loadForWrite } from './change-agent';
import type { Dependencies } from './dependencies';
import { render } from './rendered.rules';
import { newToolSecret, sealToolSecret } from './seal-tool-secrets';
import { ownSecretName, rotated } from './tool-secrets.rules';
import { commitChange } from './write-agent.sql';

export interface RotateToolSecret {
  readonly organizationId: string;
  readonly agentId: string;
  /** Undefined: the agent's own secret. */
  readonly tool?: string;
  readonly body: () => SecretRotation;
}

/** How often a rotation is attempted if other changes interfere. */
const ATTEMPTS = 4;

/**
 * POST /v1/agents/{agent_id}/tools/{name}/rotate-secret and /v1/agents/{agent_id}/rotate-secret: creates a secret and returns it once. Requests are also signed
 * with the previous secrets until the overlap ends, or earlier if a secret's own overlap ends first.
 * @throws AppError NotFoundError if there is no such agent or webhook tool; ConflictError if too many secrets would be valid at once
 */
export async function rotateToolSecret(
  dependencies: Dependencies,
  request: RotateToolSecret,
  context: OutgoingContext,
): Promise<ToolSecret> {
  const { db, vault } = dependencies;
  const { agentId, tool } = request;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { agent, now } = await loadForWrite(dependencies, request);
    const name = tool ?? ownSecretName;
    if (tool !== undefined && !agent.document.tools.some((one) => isWebhookTool(one) && one.name === tool))
      throw notFound('webhook tool');
    const { overlap_hours: hours = limits.secretOverlapHours.default, project_id } = request.body();
    if ((project_id ?? agent.projectId) !== agent.projectId) throw forbidden();
    const secret = newToolSecret();
    const { secrets, until } = rotated(agent.toolSecrets[name], sealToolSecret(vault, agent, name, secret), {
      hours,
      now,
    });
    const after = {
      ...agent,
      revision: agent.revision + 1,
      toolSecrets: { ...agent.toolSecrets, [name]: secrets },
      updatedAt: now,
    };
    const { organizationId } = agent;
    const won = await db.transaction(async (tx) => {
      const onCommit = await commitChange(tx, agent, after, render(after));
      const detail = { ...(tool !== undefined && { tool }), overlap_hours: hours };
      const action = tool === undefined ? 'agent.secret_rotated' : 'agent.tool_secret_rotated';
      const act = { organizationId, action, subject: agentId, detail };
      if (onCommit) await append(tx, [auditEvent(act, new Date(now), context)]);
      return onCommit;
    });
    if (!won) continue;
    dependencies.onCommit();
    return { agent_id: agentId, name: tool ?? null, secret, previous_until: until };
  }
  throw conflict('the agent was changed by another request: try again');
}
