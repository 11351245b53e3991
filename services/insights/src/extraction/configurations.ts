import type { ExtractionConfiguration, ExtractionModel, ExtractionUpdate } from '@parley/contract';
import { fieldErrors, forbidden, invalidField, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { isId, type CallContext, type Queryable } from '@parley/runtime';
import { auditEvent, requireContentScope, requireMatch, type PublicResult } from '@parley/service';
import { isDeepStrictEqual } from 'node:util';
import { findConfiguration, lockConfiguration, putConfiguration, type ConfigurationRow } from './configurations.sql';
import type { ExtractionDependencies } from './dependencies';
import { schemaErrors } from './extraction-schema.rules';

/** The extraction configuration of an agent, as stored. */
export interface StoredConfiguration {
  readonly schema: Record<string, unknown>;
  readonly prompt: string | null;
  readonly model: ExtractionModel | null;
}

export interface OfAgent {
  /** Empty if an operator names none. */
  readonly organizationId: string;
  readonly agentId: string;
  readonly context: CallContext;
}

export interface ChangeConfiguration extends OfAgent {
  readonly ifMatch: string;
}

interface Workspace {
  readonly organizationId: string;
  readonly projectId: string;
}

/** Returns the workspace of the agent. @throws NotFoundError if the agent does not exist or belongs to another organization */
export async function findWorkspace(
  { agents }: Pick<ExtractionDependencies, 'agents'>,
  { organizationId, agentId, context }: OfAgent,
): Promise<Workspace> {
  if (!isId('agt', agentId)) throw notFound('agent');
  return agents.getAgentForCall({ organizationId, agentId }, context);
}

const etagOf = ({ agentId, revision }: ConfigurationRow): string => `"${agentId}.extraction.${revision}"`;

function shown(row: ConfigurationRow, { schema, prompt, model }: StoredConfiguration): PublicResult {
  const { agentId: agent_id, revision, updatedAt } = row;
  const body: ExtractionConfiguration = {
    agent_id,
    schema,
    prompt,
    model,
    revision,
    updated_at: updatedAt.toISOString(),
  };
  return { body, etag: etagOf(row) };
}

const storedIn = ({ document }: ConfigurationRow): StoredConfiguration | undefined =>
  document === null ? undefined : (JSON.parse(document) as StoredConfiguration);

/** @throws NotFoundError if none is configured */
export async function getConfiguration(dependencies: ExtractionDependencies, request: OfAgent): Promise<PublicResult> {
  const { organizationId } = await findWorkspace(dependencies, request);
  const row = await findConfiguration(dependencies.db, organizationId, request.agentId);
  const stored = row && storedIn(row);
  if (row === undefined || stored === undefined) throw notFound('extraction');
  return shown(row, stored);
}

/**
 * Replaces the extraction configuration of an agent.
 * @throws NotFoundError; BadRequestError for a schema or a model that cannot be used; ForbiddenError for another project, or for another model without
 * recordings:read; ConflictError for a stale If-Match
 */
export async function replaceConfiguration(
  dependencies: ExtractionDependencies,
  request: ChangeConfiguration & { readonly body: () => ExtractionUpdate },
): Promise<PublicResult> {
  const workspace = await findWorkspace(dependencies, request);
  const { schema, prompt = null, model = null, project_id: project } = request.body();
  if (project !== undefined && project !== workspace.projectId) throw forbidden();
  const stored: StoredConfiguration = { schema, prompt, model };
  checkRunnable(dependencies, stored);
  await checkCredential(dependencies, workspace, stored, request.context);
  const row = await dependencies.db.transaction(async (tx) => {
    const earlier = await checkMatch(tx, workspace.organizationId, request);
    const before = (earlier && storedIn(earlier)?.model) ?? null;
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(model)), before)) requireContentScope(request.context.caller);
    const written = await putConfiguration(tx, workspace.organizationId, request.agentId, JSON.stringify(stored));
    await audit(tx, 'extraction.replaced', written, request);
    return written;
  });
  dependencies.onAudit();
  return shown(row, stored);
}

/** @throws NotFoundError if none is configured; ConflictError for a stale If-Match */
export async function deleteConfiguration(
  dependencies: ExtractionDependencies,
  request: ChangeConfiguration,
): Promise<PublicResult> {
  const { organizationId } = await findWorkspace(dependencies, request);
  const deleted = await dependencies.db.transaction(async (tx) => {
    const row = await checkMatch(tx, organizationId, request);
    const stored = row && storedIn(row);
    if (row === undefined || stored === undefined) throw notFound('extraction');
    const written = await putConfiguration(tx, organizationId, request.agentId, null);
    await audit(tx, 'extraction.deleted', written, request);
    return shown(written, stored);
  });
  dependencies.onAudit();
  return deleted;
}

function checkRunnable(
  { models, rules, validators }: ExtractionDependencies,
  { schema, model }: StoredConfiguration,
): void {
  const errors = schemaErrors(schema);
  if (errors.length > 0) throw fieldErrors(errors);
  try {
    validators.of(schema);
  } catch {
    throw invalidField('schema', 'format', 'is not a valid JSON Schema');
  }
  if (model === null) return;
  if (model.provider === 'simulator') {
    if (!rules)
      throw invalidField('model.provider', 'not_allowed', 'must not be simulator: extraction by rules is off');
  } else if (!models.knows(model.provider)) {
    throw invalidField('model.provider', 'not_allowed', 'is not a provider of language models on this installation');
  }
}

/** @throws BadRequestError if the model names a credential that is not one of the organization for language models of its provider */
async function checkCredential(
  { auth }: ExtractionDependencies,
  { organizationId }: Workspace,
  { model }: StoredConfiguration,
  context: CallContext,
): Promise<void> {
  const id = model?.component_credential_id;
  if (id === undefined) return;
  const request = { organizationId, componentCredentialIds: [id], standby: false };
  const [found] = (await auth.findComponentCredentials(request, context)).componentCredentials;
  if (found?.kind === 'llm' && found.provider === model?.provider) return;
  throw invalidField('model.component_credential_id', 'not_allowed', 'is not a credential of kind llm of the provider');
}

async function checkMatch(
  tx: Queryable,
  organizationId: string,
  { agentId, ifMatch }: ChangeConfiguration,
): Promise<ConfigurationRow | undefined> {
  const row = await lockConfiguration(tx, organizationId, agentId);
  const exists = row !== undefined && row.document !== null;
  requireMatch(ifMatch, exists ? etagOf(row) : '');
  return row;
}

async function audit(
  tx: Queryable,
  action: string,
  { organizationId, agentId, revision, updatedAt }: ConfigurationRow,
  { context }: OfAgent,
): Promise<void> {
  const act = { organizationId, action, subject: agentId, detail: { revision } };
  await append(tx, [auditEvent(act, updatedAt, context)]);
}
