import type { AgentTool, StoredTool } from '@parley/contract';
import type { Dependencies, Workspace } from './dependencies';
import { checkTools } from './tools.rules';

/** Validates the tools of a write: by the rules of tools, and that the connections that they use exist. @throws AppError BadRequestError naming the field */
export async function checkSentTools(
  { connections }: Pick<Dependencies, 'connections'>,
  workspace: Workspace,
  tools: readonly AgentTool[] | undefined,
  stored: readonly StoredTool[],
): Promise<void> {
  if (tools === undefined) return;
  checkTools(tools, stored);
  await connections.check(workspace, tools, stored);
}
