import type { ExtractionRerun, ExtractionRerunCreate } from '@parley/contract';
import { conflict, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { isId, newId } from '@parley/runtime';
import { auditEvent, creating, type CreatingRequest, type PublicResult } from '@parley/service';
import { findWorkspace, type OfAgent } from './configurations';
import { findConfiguration } from './configurations.sql';
import type { ExtractionDependencies } from './dependencies';
import { findRerun, insertRerun, type RerunRow } from './jobs.sql';

const shown = (row: RerunRow): ExtractionRerun => ({
  extraction_rerun_id: row.rerun_id,
  agent_id: row.agent_id,
  from: row.period_from.toISOString(),
  to: row.period_to.toISOString(),
  status: row.finished_at === null ? 'running' : 'completed',
  calls: row.calls,
  ready: row.ready,
  failed: row.failed,
  skipped: row.skipped,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
});

/**
 * Extracts data from the calls of a period again, in the background. Calls whose result has the current revision keep it.
 * @throws NotFoundError; ConflictError if the agent has no extraction configured, or a rerun of the agent is in progress
 */
export async function createRerun(
  dependencies: ExtractionDependencies,
  request: OfAgent & {
    readonly body: () => ExtractionRerunCreate;
    readonly creating: (organizationId: string) => CreatingRequest;
  },
): Promise<PublicResult> {
  const { db, clock, onAudit, onJobs } = dependencies;
  const { organizationId, projectId } = await findWorkspace(dependencies, request);
  const { agentId, context } = request;
  const outcome = await creating(db, request.creating(organizationId), async (tx) => {
    const { from, to, project_id: project } = request.body();
    if (project !== undefined && project !== projectId) throw forbidden();
    const configuration = await findConfiguration(tx, organizationId, agentId);
    if (configuration === undefined || configuration.document === null)
      throw conflict('the agent has no extraction configuration');
    const row = await insertRerun(tx, organizationId, { rerunId: newId('ext'), agentId, from, to });
    if (row === undefined) throw conflict('a rerun of this agent is already in progress');
    const act = { organizationId, action: 'extraction.rerun', subject: agentId, detail: { from, to } };
    await append(tx, [auditEvent(act, clock.now(), context)]);
    const body = JSON.stringify(shown(row));
    return { value: body, status: 202, body, recordId: row.rerun_id };
  });
  if (outcome.stored !== undefined) return { body: outcome.stored.body, replayed: true };
  onAudit();
  onJobs();
  return { body: outcome.value };
}

/** @throws NotFoundError */
export async function getRerun(
  dependencies: ExtractionDependencies,
  request: OfAgent & { readonly rerunId: string },
): Promise<PublicResult> {
  const { organizationId } = await findWorkspace(dependencies, request);
  const { agentId, rerunId } = request;
  const row = isId('ext', rerunId) ? await findRerun(dependencies.db, organizationId, agentId, rerunId) : undefined;
  if (row === undefined) throw notFound('extraction rerun');
  return { body: shown(row) };
}
