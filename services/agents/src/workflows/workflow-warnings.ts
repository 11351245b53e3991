import { neededCapabilities, type WorkflowDefinition } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import type { Dependencies } from '../agents';
import type { StoredWorkflow } from './workflow.rules';

/** A workflow after a write. */
export interface WrittenWorkflow {
  readonly workflow: StoredWorkflow;
  readonly definition: WorkflowDefinition;
  /** The response of the write, without its warnings. */
  readonly answer: object;
}

/** The response of a write as JSON text, with warnings about nodes that no worker supports. If telephony is unavailable, a warning says so. */
export async function withWarnings(
  { workers }: Pick<Dependencies, 'workers'>,
  { workflow, definition, answer }: WrittenWorkflow,
  context: OutgoingContext,
): Promise<string> {
  const nothing = { mode: '', publication: undefined, tools: [], workflow: definition };
  const needs = neededCapabilities(nothing).filter((need) => need.startsWith('tool:'));
  const checked = needs.length === 0 ? { blockers: [] } : await workers.check(workflow, needs, context);
  const missing = checked?.blockers.filter(({ code }) => code === 'tool_unavailable');
  const warnings = missing?.map(({ code, detail }) => `${code}: ${detail}`) ?? [
    'workers_unknown: the available workers cannot be read at the moment',
  ];
  return JSON.stringify(warnings.length === 0 ? answer : { ...answer, warnings });
}
