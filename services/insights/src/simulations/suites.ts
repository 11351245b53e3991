import {
  simulationLimits,
  simulationProblem,
  type SimulationScenario,
  type SimulationSuite,
  type SimulationSuiteCreate,
  type SimulationSuiteListQuery,
  type SimulationSuiteUpdate,
} from '@parley/contract';
import { AppError, conflict, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { isId, newId, type Queryable } from '@parley/runtime';
import {
  auditEvent,
  creating,
  pageDocument,
  pagePosition,
  findStoredResponse,
  requireMatch,
  type CreatingRequest,
  type PublicResult,
} from '@parley/service';
import type { Asked, SimulationDependencies } from './dependencies';
import { findSuiteOwner } from './owners.cross-tenant.sql';
import { removeRunsOfSuite } from './runs.sql';
import { refuseProblem } from './simulation-error';
import {
  countSuites,
  findSuite,
  insertSuite,
  lockSuite,
  pageOfSuites,
  removeSuite,
  replaceSuite,
  type SuiteRow,
} from './suites.sql';

export interface AskedOfSuite extends Asked {
  readonly suiteId: string;
}
interface ChangeOfSuite extends AskedOfSuite {
  readonly ifMatch: string;
}

export const suiteEtag = ({ revision }: SuiteRow): string => `"${revision}"`;

function shown(row: SuiteRow): PublicResult & { readonly body: SimulationSuite } {
  const body: SimulationSuite = {
    simulation_suite_id: row.simulation_suite_id,
    organization_id: row.organization_id,
    project_id: row.project_id,
    agent_id: row.agent_id,
    name: row.name,
    scenarios: JSON.parse(row.scenarios) as SimulationScenario[],
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
  return { body, etag: suiteEtag(row) };
}

/** The JSON of scenarios, after checking that they can be run. @throws AppError SimulationError; PayloadTooLargeError */
export function storedScenarios(scenarios: readonly SimulationScenario[]): string {
  // What only a spoken run can do is refused when another run is started.
  refuseProblem(simulationProblem(scenarios, true));
  const text = JSON.stringify(scenarios);
  if (Buffer.byteLength(text) > simulationLimits.suiteBytes)
    throw new AppError(
      'PayloadTooLargeError',
      `the scenarios of a suite must have at most ${simulationLimits.suiteBytes} bytes`,
    );
  return text;
}

/** Returns the organization in which to look a suite up. @throws AppError NotFoundError */
export async function ownerOfSuite(db: Queryable, { organizationId, suiteId }: AskedOfSuite): Promise<string> {
  if (!isId('sim', suiteId)) throw notFound('simulation suite');
  const owner = organizationId === '' ? await findSuiteOwner(db, suiteId) : organizationId;
  if (owner === undefined) throw notFound('simulation suite');
  return owner;
}

/** @throws AppError NotFoundError for an agent that is not in the project; SimulationError; ConflictError if there are too many suites */
export async function createSuite(
  { db, agents, onAudit }: SimulationDependencies,
  request: Asked & {
    readonly body: () => SimulationSuiteCreate;
    readonly creating: (organizationId: string) => CreatingRequest;
  },
): Promise<PublicResult> {
  const { organizationId } = request;
  const idempotency = request.creating(organizationId);
  const earlier = await findStoredResponse(db, idempotency);
  if (earlier !== undefined) return { body: earlier.body, etag: '"1"', replayed: true };
  const { organization_id, project_id, agent_id, name, scenarios } = request.body();
  if ((organization_id ?? organizationId) !== organizationId) throw forbidden();
  if (!isId('agt', agent_id)) throw notFound('agent');
  const agent = await agents.getAgentForCall({ organizationId, agentId: agent_id }, request.context);
  if (agent.projectId !== project_id) throw notFound('agent');
  const texts = storedScenarios(scenarios);
  const { value, stored } = await creating(
    db,
    idempotency,
    async (tx) => {
      if ((await countSuites(tx, organizationId)) >= simulationLimits.suites)
        throw conflict(`the organization already has ${simulationLimits.suites} suites, the maximum`);
      const simulation_suite_id = newId('sim');
      const suite = { simulation_suite_id, project_id, agent_id, name, scenarios: texts };
      const row = await insertSuite(tx, organizationId, suite);
      await audit(tx, 'simulation_suite.created', row, request);
      const { body } = shown(row);
      const text = JSON.stringify(body);
      return { status: 201, body: text, recordId: simulation_suite_id, value: text };
    },
    { recalled: true },
  );
  if (stored !== undefined) return { body: stored.body, etag: '"1"', replayed: true };
  onAudit();
  return { body: value, etag: '"1"' };
}

/** @throws AppError NotFoundError if it does not exist or belongs to another organization */
export async function getSuite({ db }: SimulationDependencies, request: AskedOfSuite): Promise<PublicResult> {
  const row = await findSuite(db, await ownerOfSuite(db, request), request.suiteId);
  if (row === undefined) throw notFound('simulation suite');
  return shown(row);
}

/** Returns the response as JSON text, newest first. */
export async function listSuites(
  { db }: SimulationDependencies,
  organizationId: string,
  query: SimulationSuiteListQuery,
): Promise<PublicResult> {
  const { limit, after } = pagePosition(query, ['time', 'text']);
  const [createdAt = '', suiteId = ''] = after ?? [];
  const rows = await pageOfSuites(db, organizationId, {
    limit,
    projectId: query.project_id,
    after: after === undefined ? undefined : { createdAt, suiteId },
  });
  return {
    body: pageDocument(
      rows,
      limit,
      (row) => JSON.stringify(shown(row).body),
      (row) => [row.created_at.toISOString(), row.simulation_suite_id],
    ),
  };
}

/** @throws AppError NotFoundError; ForbiddenError; ConflictError for a stale If-Match; SimulationError */
export function updateSuite(
  dependencies: SimulationDependencies,
  request: ChangeOfSuite & { readonly body: () => SimulationSuiteUpdate },
): Promise<PublicResult> {
  return changeSuite(dependencies, request, (row) => {
    const { organization_id = row.organization_id, project_id = row.project_id, name, scenarios } = request.body();
    if (organization_id !== row.organization_id || project_id !== row.project_id) throw forbidden();
    return {
      name: name ?? row.name,
      scenarios: scenarios === undefined ? row.scenarios : storedScenarios(scenarios),
    };
  });
}

/** Changes a suite while it is locked. A change without effect is not written. */
export async function changeSuite(
  { db, onAudit }: SimulationDependencies,
  request: ChangeOfSuite,
  change: (row: SuiteRow) => Pick<SuiteRow, 'name' | 'scenarios'>,
): Promise<PublicResult> {
  const organizationId = await ownerOfSuite(db, request);
  const answer = await db.transaction(async (tx) => {
    const row = await lockSuite(tx, organizationId, request.suiteId);
    if (row === undefined) throw notFound('simulation suite');
    const after = change(row);
    requireMatch(request.ifMatch, suiteEtag(row));
    if (after.name === row.name && after.scenarios === row.scenarios) return shown(row);
    const written = await replaceSuite(tx, organizationId, { ...after, simulation_suite_id: request.suiteId });
    await audit(tx, 'simulation_suite.updated', written, request);
    return shown(written);
  });
  onAudit();
  return answer;
}

/** Deletes a suite with its runs, and returns it. @throws AppError NotFoundError; ConflictError for a stale If-Match */
export async function deleteSuite(
  { db, onAudit }: SimulationDependencies,
  request: ChangeOfSuite,
): Promise<PublicResult> {
  const organizationId = await ownerOfSuite(db, request);
  const answer = await db.transaction(async (tx) => {
    const row = await lockSuite(tx, organizationId, request.suiteId);
    if (row === undefined) throw notFound('simulation suite');
    requireMatch(request.ifMatch, suiteEtag(row));
    await removeRunsOfSuite(tx, organizationId, request.suiteId, 0);
    await removeSuite(tx, organizationId, request.suiteId);
    await audit(tx, 'simulation_suite.deleted', row, request);
    return shown(row);
  });
  onAudit();
  return answer;
}

async function audit(tx: Queryable, action: string, row: SuiteRow, { context }: Asked): Promise<void> {
  const { organization_id: organizationId, simulation_suite_id: subject, revision, updated_at } = row;
  const at = action === 'simulation_suite.deleted' ? new Date() : updated_at;
  await append(tx, [auditEvent({ organizationId, action, subject, detail: { revision } }, at, context)]);
}
