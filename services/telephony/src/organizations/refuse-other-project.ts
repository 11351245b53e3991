import { notFound } from '@parley/errors';
import type { AgentForCall } from '@parley/proto/agents';

/**
 * A new record of an agent is in the agent's project: another one that the body names is answered like one that is not there
 * (as docs/reference/variables-and-workflows.md#templates says of template messages), also when it is the organization's own.
 * @param named empty for none
 */
export function refuseOtherProject({ projectId }: AgentForCall, named: string): void {
  if (named !== '' && named !== projectId) throw notFound('project');
}
