import type { AgentStatus, SettableStatus, StoredAgent } from './stored-agent';

/** The status after reinstatement: the one that the suspension found; as it is where nothing is suspended. */
export const reinstatedStatus = ({ status, suspendedFrom }: StoredAgent): AgentStatus =>
  status === 'suspended' ? (suspendedFrom ?? 'inactive') : status;

/** What a change of status leaves to be brought back by reinstatement. */
export function suspendedFrom(before: StoredAgent, next: AgentStatus): SettableStatus | undefined {
  if (next !== 'suspended') return undefined;
  return before.status === 'suspended' ? before.suspendedFrom : before.status;
}
