import { createHash } from 'node:crypto';
import {
  canonicalJson,
  limits,
  type StoredTool,
  type AgentWorkflowRead,
  type WorkflowDefinition,
  type WorkflowDraft,
  type WorkflowLayout,
  type WorkflowVersion,
  type WorkflowVersionSummary,
} from '@parley/contract';
import { AppError, badRequest, conflict } from '@parley/errors';
import { checkNodeIds, workflowFaults } from './workflow-validation.rules';

/** An agent's stored workflow. Parts that never existed are absent. */
export interface StoredWorkflow {
  readonly organizationId: string;
  readonly agentId: string;
  readonly projectId: string;
  readonly tools: readonly StoredTool[];
  /** Incremented with every write of a draft; 0 before the first. It is not reset for a new draft. */
  readonly revision: number;
  readonly draft: StoredDraft | undefined;
  /** The highest version; 0 if none was ever published. */
  readonly publishedVersion: number;
  /** True if no version is currently published, although there may be versions. */
  readonly unpublished: boolean;
}

/** The version that calls use; 0 if none. */
export const currentVersion = ({ publishedVersion, unpublished }: StoredWorkflow): number =>
  unpublished ? 0 : publishedVersion;

export interface StoredDraft {
  readonly definition: WorkflowDefinition;
  readonly layout: WorkflowLayout;
  /** ISO 8601, the database's clock. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The draft with which a new workflow starts if nothing is published. */
export const blankDefinition: WorkflowDefinition = {
  nodes: [
    { id: 'start', type: 'start' },
    { id: 'end', type: 'end' },
  ],
  edges: [{ from: 'start', to: 'end' }],
};

/** @throws 400 naming the field, for duplicate ids and for a definition that is too large for a call. Faults of the graph are listed in `validation`. */
export function checkDefinition(definition: WorkflowDefinition): void {
  checkNodeIds(definition);
  if (Buffer.byteLength(canonicalJson(definition)) > limits.workflowBytes)
    throw badRequest(`draft must be at most ${limits.workflowBytes} bytes`);
}

/** The draft as in docs/reference/variables-and-workflows.md; undefined if there is none. */
export function draftView({ agentId, revision, draft, tools }: StoredWorkflow): WorkflowDraft | undefined {
  if (draft === undefined) return undefined;
  const faults = workflowFaults(draft.definition, tools);
  return {
    agent_id: agentId,
    revision,
    draft: draft.definition,
    layout: draft.layout,
    validation: { valid: faults.length === 0, faults },
    created_at: draft.createdAt,
    updated_at: draft.updatedAt,
  };
}

/** The current draft. @throws 409 ConflictError if there is none */
export function draftOf(workflow: StoredWorkflow): WorkflowDraft {
  const view = draftView(workflow);
  if (view === undefined) throw conflict('there is no draft: create one first');
  return view;
}

/** @throws 409 WorkflowRevisionConflictError with the stored draft if `base` is not its revision (docs/reference/errors.md) */
export function checkDraftRevision(workflow: StoredWorkflow, base: number | undefined): void {
  const current = draftOf(workflow);
  if (base === undefined || base === workflow.revision) return;
  throw new AppError('WorkflowRevisionConflictError', `base_revision is stale: the draft is at ${workflow.revision}`, {
    fields: { current },
  });
}

/** The next version, created from the draft. @throws 400 naming the first fault if the draft is not valid */
export const versionOf = (workflow: StoredWorkflow, now: string): WorkflowVersion =>
  nextVersion(workflow, 'draft', draftOf(workflow).draft, now);

/** The next version, created from a definition. @param from the name of its source in the message of an error */
export function nextVersion(
  workflow: StoredWorkflow,
  from: string,
  definition: WorkflowDefinition,
  now: string,
): WorkflowVersion {
  const [fault] = workflowFaults(definition, workflow.tools);
  if (fault !== undefined)
    throw badRequest(`${from} cannot be published: ${fault.scope}: ${fault.detail} (${fault.code})`);
  return {
    version: workflow.publishedVersion + 1,
    sha256: createHash('sha256').update(canonicalJson(definition)).digest('hex'),
    node_count: definition.nodes.length,
    published_at: now,
    definition,
  };
}

/** The range of versions on a page, newest first. Versions are consecutive, so a page is a range. */
export function versionRange(
  publishedVersion: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): { readonly first: number; readonly last: number } {
  const last = publishedVersion - offset;
  return { first: Math.max(1, last - limit + 1), last };
}

export interface VersionsPage {
  readonly offset: number;
  readonly limit: number;
  /** Newest first. */
  readonly versions: readonly WorkflowVersionSummary[];
  readonly published: WorkflowVersionSummary | undefined;
}

/** AgentWorkflowRead (docs/reference/variables-and-workflows.md). */
export function workflowRead(
  workflow: StoredWorkflow,
  { offset, limit, versions, published }: VersionsPage,
): AgentWorkflowRead {
  const total = workflow.publishedVersion;
  const isPublished = currentVersion(workflow) > 0;
  return {
    agent_id: workflow.agentId,
    workflow_state: workflow.draft !== undefined ? 'draft' : isPublished ? 'published' : 'none',
    published: isPublished ? (published ?? null) : null,
    version_count: total,
    versions: [...versions],
    versions_page: { offset, limit, total },
    workflow: draftView(workflow) ?? null,
  };
}
