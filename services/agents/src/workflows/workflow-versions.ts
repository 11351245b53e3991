import type { WorkflowVersion, WorkflowVersionRecord } from '@parley/contract';
import { notFound } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import { findVersionContent, findWorkflow, publishVersion } from './workflows.sql';
import { currentVersion, nextVersion } from './workflow.rules';
import { findWorkspaceId, type Dependencies, type Workspace } from '../agents';
import { changeWorkflow, type WorkflowRequest } from './workflow-transaction';
import { withWarnings } from './workflow-warnings';

/** A version of an agent's workflow. `version` is text from the path. */
export interface NamedVersion {
  readonly organizationId: string;
  readonly agentId: string;
  readonly version: string;
}

const greatestVersion = 2_147_483_647;

/** @throws AppError NotFoundError for an invalid version number */
function numberOf(text: string): number {
  const version = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : greatestVersion + 1;
  if (version > greatestVersion) throw notFound('workflow version');
  return version;
}

/** GET /v1/agents/{agent_id}/workflow/versions/{version}, as JSON text. @throws NotFoundError if it does not exist or belongs to another organization */
export async function getWorkflowVersion({ db }: Dependencies, request: NamedVersion): Promise<string> {
  const { agentId } = request;
  const organizationId = await findWorkspaceId(db, request.organizationId, agentId);
  const found = await findWorkflow(db, organizationId, agentId);
  const content = await findVersionContent(db, organizationId, agentId, numberOf(request.version));
  if (found === undefined || content === undefined) throw notFound('workflow version');
  const current = currentVersion(found.workflow) === content.version;
  return JSON.stringify({ agent_id: agentId, ...content, current } satisfies WorkflowVersionRecord);
}

/**
 * POST /v1/agents/{agent_id}/workflow/versions/{version}/restore: publishes the content of that version as the next version and returns JSON text. It is
 * validated against the agent's current tools. If calls already use this version, nothing is written. The draft stays.
 */
export async function restoreWorkflowVersion(
  dependencies: Dependencies,
  request: WorkflowRequest<Workspace> & { readonly version: string },
  context: OutgoingContext,
): Promise<string> {
  const number = numberOf(request.version);
  const written = await changeWorkflow(
    dependencies,
    request,
    'workflow.version_restored',
    async (tx, { workflow, now }) => {
      const { organizationId, agentId } = workflow;
      const content = await findVersionContent(tx, organizationId, agentId, number);
      if (content === undefined) throw notFound('workflow version');
      const { layout, ...earlier } = content;
      const { definition } = content;
      if (currentVersion(workflow) === number)
        return { workflow, definition, answer: earlier satisfies WorkflowVersion };
      const version = nextVersion(workflow, `version ${number}`, content.definition, now);
      await publishVersion(tx, workflow, version, layout);
      return { workflow, definition, answer: version };
    },
  );
  return withWarnings(dependencies, written, context);
}
