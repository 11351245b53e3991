import type { OutboxEvent } from '@parley/outbox';
import { newId } from '@parley/runtime';
import type { StoredAgent } from '../domain/stored-agent';

export interface Actor {
  readonly keyId: string;
  readonly traceparent?: string;
}

/**
 * An operator's act for the audit log and the control state, both of which auth owns; it holds the act against others by the
 * time of the change, the database's clock.
 */
export function suspensionAct(agent: StoredAgent, { keyId, traceparent }: Actor): OutboxEvent {
  return {
    id: newId('aud'),
    stream: 'AUDIT',
    subject: `audit.v1.${agent.organizationId}`,
    payload: JSON.stringify({
      organization_id: agent.organizationId,
      actor_key_id: keyId,
      action: agent.status === 'suspended' ? 'agent.suspended' : 'agent.reinstated',
      subject: agent.agentId,
      created_at: agent.updatedAt,
      resource_id: agent.agentId,
      resource_seq: agent.revision,
    }),
    traceparent,
  };
}
