import type { AgentSuspend } from '@parley/contract';
import { append, type OutboxEvent } from '@parley/outbox';
import type { OutgoingContext } from '@parley/runtime';
import { auditEvent } from '@parley/service';
import { etagOf } from '../etag.rules';
import { reinstatedStatus } from './suspension.rules';
import type { StoredAgent } from './stored-agent.rules';
import { changeAgent, type ChangeAgent } from './change-agent';
import type { AgentAnswer, Dependencies } from './dependencies';

export interface SetSuspension extends ChangeAgent<AgentSuspend> {
  readonly suspended: boolean;
}

/**
 * Suspends or reinstates an agent on behalf of an operator (docs/reference/agents.md#status). The outbox event to auth is written in the same transaction.
 * Idempotent.
 */
export async function setSuspension(
  dependencies: Dependencies,
  { suspended, ...request }: SetSuspension,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const { agent, rendered } = await changeAgent(
    dependencies,
    request,
    (stored, { reason }) => ({
      document: stored.document,
      status: suspended ? 'suspended' : reinstatedStatus(stored),
      carriesLanguages: false,
      suspensionReason: reason ?? null,
    }),
    context,
    (tx, after) => append(tx, [suspensionEvent(after, context)]),
  );
  dependencies.onCommit();
  return { body: rendered.view, etag: etagOf(agent.revision) };
}

/** Auth orders the suspensions of an agent by the database's time of the change. */
function suspensionEvent(agent: StoredAgent, context: OutgoingContext): OutboxEvent {
  const { organizationId, agentId, revision } = agent;
  const action = agent.status === 'suspended' ? 'agent.suspended' : 'agent.reinstated';
  const reason = agent.suspension?.reason;
  const detail = typeof reason === 'string' ? { reason } : {};
  const act = { organizationId, action, subject: agentId, detail, revision };
  return auditEvent(act, new Date(agent.updatedAt), context);
}
