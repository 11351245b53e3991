import type { AgentSuspension } from '@parley/contract';
import type { AgentStatus, SettableStatus, StoredAgent } from './stored-agent.rules';

/** The status after reinstatement: the one before the suspension; unchanged if the agent is not suspended. */
export const reinstatedStatus = ({ status, suspendedFrom }: StoredAgent): AgentStatus =>
  status === 'suspended' ? (suspendedFrom ?? 'inactive') : status;

/** The status to restore at reinstatement, if this change suspends the agent. */
export function suspendedFrom(before: StoredAgent, next: AgentStatus): SettableStatus | undefined {
  if (next !== 'suspended') return undefined;
  return before.status === 'suspended' ? before.suspendedFrom : before.status;
}

/** Reason and time of the suspension after a change. A second suspension changes neither. */
export function suspensionAfter(
  before: StoredAgent,
  { status, suspensionReason = null }: { readonly status: AgentStatus; readonly suspensionReason?: string | null },
  now: string,
): AgentSuspension | undefined {
  if (status !== 'suspended') return undefined;
  return before.status === 'suspended' ? before.suspension : { reason: suspensionReason, suspended_at: now };
}
