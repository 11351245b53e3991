import { nameOfTool, type StoredTool, type WorkflowDefinition } from '@parley/contract';
import { AppError } from '@parley/errors';

/** The workflows of an agent that use its tools: the published one and the draft. */
export interface AgentWorkflows {
  readonly published?: WorkflowDefinition;
  readonly draft?: WorkflowDefinition;
}

/** The names of tools that a change removes. */
export function removedTools(before: readonly StoredTool[], after: readonly StoredTool[]): readonly string[] {
  const kept = new Set(after.map(nameOfTool));
  return before.map(nameOfTool).filter((name) => !kept.has(name));
}

/** @throws 409 if a workflow node runs a removed tool; `uses` lists all such nodes */
export function refuseUsedTools(removed: readonly string[], workflows: AgentWorkflows): void {
  const uses = [...usesIn('published', workflows.published, removed), ...usesIn('draft', workflows.draft, removed)];
  const [first] = uses;
  if (first === undefined) return;
  const message = `the ${first.workflow} workflow runs the tool ${first.tool} in its node ${first.node_id}`;
  throw new AppError('ConflictError', message, { fields: { uses } });
}

function usesIn(
  workflow: keyof AgentWorkflows,
  definition: WorkflowDefinition | undefined,
  removed: readonly string[],
) {
  return (definition?.nodes ?? []).flatMap((node) =>
    node.type === 'tool' && removed.includes(node.tool) ? [{ workflow, node_id: node.id, tool: node.tool }] : [],
  );
}
