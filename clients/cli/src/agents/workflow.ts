/** The workflow of an agent: the published version is compared with the file, and the file is published. */
import { isDeepStrictEqual } from 'node:util';
import type { Parley, WorkflowDefinition, WorkflowDraft } from '@parley/sdk';
import { Failure } from '../failure.js';

export interface ReadWorkflow {
  /** The workflow that conducts calls; null if none does. */
  readonly published: WorkflowDefinition | null;
  readonly draft: WorkflowDraft | null;
}

export async function readWorkflow(parley: Parley, agentId: string): Promise<ReadWorkflow> {
  const { published, workflow: draft } = await parley.agents.getWorkflow({
    path: { agent_id: agentId },
    query: { limit: 1 },
  });
  if (published === null) return { published, draft };
  const path = { agent_id: agentId, version: String(published.version) };
  const { definition } = await parley.agents.getWorkflowVersion({ path });
  return { published: definition, draft };
}

/** A draft that differs from the file: someone is editing it. */
export const isForeign = ({ draft }: ReadWorkflow, wanted: unknown): boolean =>
  draft !== null && !isDeepStrictEqual(draft.draft, wanted);

/** Publishes the workflow of the file. An existing draft is replaced. @throws Failure if it cannot run; then nothing is published */
export async function publishWorkflow(parley: Parley, agentId: string, wanted: WorkflowDefinition): Promise<void> {
  const path = { agent_id: agentId };
  const { published, draft } = await readWorkflow(parley, agentId);
  if (draft === null && isDeepStrictEqual(published, wanted)) return;
  const saved = draft
    ? await parley.agents.saveWorkflowDraft({ path, body: { base_revision: draft.revision, draft: wanted } })
    : await parley.agents.createWorkflowDraft({ path, body: { draft: wanted } });
  if (!saved.validation.valid) {
    if (draft === null) await parley.agents.deleteWorkflowDraft({ path });
    const faults = saved.validation.faults.map(({ scope, code, detail }) => `  ${scope}: ${code}: ${detail}`);
    throw new Failure('blockers', ['the workflow cannot be published:', ...faults].join('\n'));
  }
  await parley.agents.publishWorkflow({ path, body: { base_revision: saved.revision } });
}
