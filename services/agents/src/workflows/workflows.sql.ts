import type {
  StoredTool,
  WorkflowDefinition,
  WorkflowLayout,
  WorkflowVersion,
  WorkflowVersionSummary,
} from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { StoredDraft, StoredWorkflow } from './workflow.rules';

interface WorkflowRow {
  readonly organization_id: string;
  readonly agent_id: string;
  readonly project_id: string;
  readonly document: string;
  readonly revision: number | null;
  readonly draft: string | null;
  readonly layout: string | null;
  readonly draft_created_at: Date | null;
  readonly draft_updated_at: Date | null;
  readonly published_version: number | null;
  readonly unpublished_at: Date | null;
  readonly now: Date;
}

const columns = `a.organization_id, a.agent_id, a.project_id, a.document, w.revision, w.draft, w.layout, w.draft_created_at,
  w.draft_updated_at, w.published_version, w.unpublished_at, now() as now`;

/** A workflow with the database's clock (ISO 8601). */
export interface ReadWorkflow {
  readonly workflow: StoredWorkflow;
  readonly now: string;
}

/** Returns the workflow of an agent, an empty one if it has none; undefined if there is no such agent. */
export async function findWorkflow(
  db: Queryable,
  organizationId: string,
  agentId: string,
): Promise<ReadWorkflow | undefined> {
  const { rows } = await db.query<WorkflowRow>({
    name: 'workflow-find',
    text: `select ${columns} from agents a left join agent_workflows w on w.agent_id = a.agent_id and w.organization_id = a.organization_id
           where a.organization_id = $1 and a.agent_id = $2`,
    values: [organizationId, agentId],
  });
  return readOf(rows[0]);
}

/**
 * The same, but creates the workflow if it does not exist and locks it until the transaction ends. Writers of one workflow run one after another. They also
 * wait for a concurrent change of the agent, so that no workflow is published with a tool that this change removes.
 */
export async function lockWorkflow(
  tx: Queryable,
  organizationId: string,
  agentId: string,
): Promise<ReadWorkflow | undefined> {
  await tx.query({
    name: 'workflow-lock-agent',
    text: 'select 1 from agents where organization_id = $1 and agent_id = $2 for no key update',
    values: [organizationId, agentId],
  });
  await tx.query({
    name: 'workflow-make',
    text: `insert into agent_workflows (organization_id, agent_id, revision)
           select organization_id, agent_id, 0 from agents where organization_id = $1 and agent_id = $2
           on conflict do nothing`,
    values: [organizationId, agentId],
  });
  const { rows } = await tx.query<WorkflowRow>({
    name: 'workflow-lock',
    text: `select ${columns} from agent_workflows w join agents a on a.agent_id = w.agent_id
             and a.organization_id = w.organization_id
           where w.organization_id = $1 and w.agent_id = $2 for update of w`,
    values: [organizationId, agentId],
  });
  return readOf(rows[0]);
}

/** Stores a draft with the next revision. */
export async function writeDraft(tx: Queryable, workflow: StoredWorkflow, draft: StoredDraft): Promise<void> {
  await tx.query({
    name: 'workflow-draft',
    text: `update agent_workflows set revision = $3, draft = $4, layout = $5, draft_created_at = $6, draft_updated_at = $7
           where organization_id = $1 and agent_id = $2`,
    values: [
      workflow.organizationId,
      workflow.agentId,
      workflow.revision,
      JSON.stringify(draft.definition),
      JSON.stringify(draft.layout),
      draft.createdAt,
      draft.updatedAt,
    ],
  });
}

/**
 * Stores a version and makes new calls pin it. If it was created from the draft, the draft and its PIN are removed. A restored version has its own layout, and
 * the draft stays.
 */
export async function publishVersion(
  tx: Queryable,
  workflow: StoredWorkflow,
  version: WorkflowVersion,
  restoredLayout?: WorkflowLayout,
): Promise<void> {
  const { version: number, sha256, definition } = version;
  const text = JSON.stringify(definition);
  await tx.query({
    name: 'workflow-publish',
    text: `with kept as (
             insert into agent_workflow_versions (organization_id, agent_id, version, sha256, definition, layout, node_count, published_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)
           ), pinned as (
             update agents set workflow = $9 where organization_id = $1 and agent_id = $2
           )
           update agent_workflows set published_version = $3, unpublished_at = null,
             draft = case when $10 then draft end,
             draft_created_at = case when $10 then draft_created_at end,
             draft_updated_at = case when $10 then draft_updated_at end,
             pin_disarmed_at = case when $10 then pin_disarmed_at else coalesce(pin_disarmed_at, now()) end
           where organization_id = $1 and agent_id = $2`,
    values: [
      workflow.organizationId,
      workflow.agentId,
      number,
      sha256,
      text,
      JSON.stringify(restoredLayout ?? workflow.draft?.layout ?? {}),
      version.node_count,
      version.published_at,
      `{"version":${number},"sha256":"${sha256}","definition":${text}}`,
      restoredLayout !== undefined,
    ],
  });
}

/** Unpublishes the workflow: new calls use none. Versions and draft stay. */
export async function unpublish(tx: Queryable, organizationId: string, agentId: string): Promise<void> {
  await tx.query({
    name: 'workflow-unpublish',
    text: `with pinned as (
             update agents set workflow = null where organization_id = $1 and agent_id = $2
           )
           update agent_workflows set unpublished_at = coalesce(unpublished_at, now())
           where organization_id = $1 and agent_id = $2`,
    values: [organizationId, agentId],
  });
}

/** Deletes the draft with its PIN. Its revision is never used again. */
export async function discardDraft(tx: Queryable, organizationId: string, agentId: string): Promise<void> {
  await tx.query({
    name: 'workflow-draft-discard',
    text: `update agent_workflows set draft = null, draft_created_at = null, draft_updated_at = null,
             pin_disarmed_at = coalesce(pin_disarmed_at, now())
           where organization_id = $1 and agent_id = $2`,
    values: [organizationId, agentId],
  });
}

interface VersionRow {
  readonly version: number;
  readonly sha256: string;
  readonly node_count: number;
  readonly published_at: Date;
}

/** Summaries of the versions from `first` to `last`, newest first. */
export async function listVersions(
  db: Queryable,
  organizationId: string,
  agentId: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<WorkflowVersionSummary[]> {
  const { rows } = await db.query<VersionRow>({
    name: 'workflow-versions',
    text: `select version, sha256, node_count, published_at from agent_workflow_versions
           where organization_id = $1 and agent_id = $2 and version between $3 and $4 order by version desc`,
    values: [organizationId, agentId, first, last],
  });
  return rows.map((row) => ({ ...row, published_at: row.published_at.toISOString() }));
}

export interface VersionContent extends WorkflowVersion {
  readonly layout: WorkflowLayout;
}

/** Returns the content of a version; undefined if there is none. */
export async function findVersionContent(
  db: Queryable,
  organizationId: string,
  agentId: string,
  version: number,
): Promise<VersionContent | undefined> {
  const { rows } = await db.query<VersionRow & { definition: string; layout: string }>({
    name: 'workflow-version',
    text: `select version, sha256, node_count, published_at, definition, layout from agent_workflow_versions where organization_id = $1 and agent_id = $2 and version = $3`,
    values: [organizationId, agentId, version],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  return {
    ...row,
    published_at: row.published_at.toISOString(),
    definition: JSON.parse(row.definition) as WorkflowDefinition,
    layout: JSON.parse(row.layout) as WorkflowLayout,
  };
}

function readOf(row: WorkflowRow | undefined): ReadWorkflow | undefined {
  if (row === undefined) return undefined;
  const { tools } = JSON.parse(row.document) as { tools: StoredTool[] };
  const draft: StoredDraft | undefined =
    row.draft === null
      ? undefined
      : {
          definition: JSON.parse(row.draft) as WorkflowDefinition,
          layout: JSON.parse(row.layout ?? '{}') as WorkflowLayout,
          createdAt: row.draft_created_at?.toISOString() ?? '',
          updatedAt: row.draft_updated_at?.toISOString() ?? '',
        };
  return {
    workflow: {
      organizationId: row.organization_id,
      agentId: row.agent_id,
      projectId: row.project_id,
      tools,
      revision: row.revision ?? 0,
      draft,
      publishedVersion: row.published_version ?? 0,
      unpublished: row.unpublished_at !== null,
    },
    now: row.now.toISOString(),
  };
}
