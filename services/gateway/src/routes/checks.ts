import { routes } from '@parley/contract';
import { type Caller, type ControlStateMirror, isId, type OutgoingContext } from '@parley/runtime';
import { AppError, forbidden, notFound } from '@parley/errors';
import {
  actingOrganization,
  type MinuteLimit,
  type ProjectOwners,
  type RateLimitHeaders,
  type RateLimits,
  requireScope,
} from '../auth';
import { valuesOf } from '../http';
import { refuseNewWork } from './maintenance';
import type { Admission, CallerRequest } from './caller-request';

/** Throws or rejects with the AppError that refuses a request. A synchronous check returns no promise. */
export type Check = (admission: Admission) => void | Promise<void>;

export interface CheckParts {
  readonly controlState: ControlStateMirror;
  readonly rateLimits: RateLimits;
  readonly mintLimit: MinuteLimit;
  readonly previewLimit: MinuteLimit;
  readonly modelsLimit: MinuteLimit;
  readonly projects: ProjectOwners;
}

/** The checks of a request in the order of docs/reference/requests.md, for REST and MCP. What can be checked without the body is checked before it is read. */
export interface Checks {
  readonly beforeBody: readonly Check[];
  /** Between the parsing of the body and forwarding to the owning service. */
  readonly afterBody: readonly Check[];
}

export const checksOf = ({
  controlState,
  rateLimits,
  mintLimit,
  previewLimit,
  modelsLimit,
  projects,
}: CheckParts): Checks => ({
  beforeBody: [
    ({ route, call }) => requireScope(route.declaration, call.caller),
    (admission) => {
      const { caller, params, query } = admission.call;
      const named = [params.organization_id, ...valuesOf(query, 'organization_id')];
      admission.organizationId = actingOrganization(caller, caller.organizationId, named);
    },
    ({ call }) =>
      call.counted ? undefined : countRequest(rateLimits, call.caller, (name, value) => call.setHeader(name, value)),
    ({ route, call }) => (route.declaration.mints ? mintLimit.admit(call.caller) : undefined),
    ({ route, call }) => (route.declaration === routes.previewVoice ? previewLimit.admit(call.caller) : undefined),
    ({ route, call }) => (route.declaration === routes.listProviderModels ? modelsLimit.admit(call.caller) : undefined),
  ],
  afterBody: [
    ({ route, call }) => refuseNewWork(route.declaration, call.body.json, controlState),
    (admission) => {
      const { caller, body } = admission.call;
      const { organization_id: named } = body.json;
      admission.organizationId = actingOrganization(caller, admission.organizationId, [named]);
    },
    (admission) => refuseForeignProject(projects, admission),
    (admission) => resolveProjects(projects, admission),
    ({ call }) => call.body.validateUndeclared(),
  ],
});

/** Undefined if only the default limit of keys applies, so that the request does not wait. */
export function countRequest(
  rateLimits: RateLimits,
  caller: Caller,
  setHeader: CallerRequest['setHeader'],
): Promise<void> | undefined {
  const setHeaders = (headers: RateLimitHeaders): void => {
    for (const [name, value] of Object.entries(headers)) setHeader(name, value);
  };
  if (rateLimits.has(caller)) return rateLimits.admit(caller, setHeaders);
  rateLimits.admitByDefault(caller, setHeaders);
  return undefined;
}

/**
 * A write to a record by id cannot move the record to another project. Therefore a project in the body that is unknown or belongs to another organization is
 * refused with 403 (docs/reference/requests.md, foreign ids). Whether a project of the same organization is the record's is checked by the owning service.
 */
function refuseForeignProject(owners: ProjectOwners, admission: Admission): void | Promise<void> {
  const { route, call, organizationId, exchange } = admission;
  const project = route.bodyRepeatsProject ? call.body.json.project_id : undefined;
  if (organizationId === '' || !isNamed(project)) return;
  return findOrganization(owners, project, organizationId, exchange).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'NotFoundError') throw forbidden();
      throw error;
    },
  );
}

/**
 * A project specified for a new resource or in a filter must belong to the organization. If an operator specified no organization, the project determines it.
 */
function resolveProjects(owners: ProjectOwners, admission: Admission): void | Promise<void> {
  const { route, call } = admission;
  const inBody = route.bodyNamesProject ? call.body.json.project_id : undefined;
  const inQuery = route.queryNamesProject ? valuesOf(call.query, 'project_id') : [];
  const named = [inBody, ...inQuery].filter(isNamed);
  if (named.length > 0) return resolve(owners, named, admission);
}

async function resolve(owners: ProjectOwners, named: readonly string[], admission: Admission): Promise<void> {
  for (const project of named) {
    admission.organizationId = await findOrganization(owners, project, admission.organizationId, admission.exchange);
  }
}

const isNamed = (project: unknown): project is string => typeof project === 'string' && project !== '';

/**
 * The organization of a request that specifies a project. A project of another organization is 404, like an unknown one (docs/reference/errors.md).
 * @param organizationId '' for an operator that specified none: then the project's owner is returned
 */
async function findOrganization(
  owners: ProjectOwners,
  projectId: string,
  organizationId: string,
  context: OutgoingContext,
): Promise<string> {
  if (!isId('prj', projectId)) throw notFound('project');
  let owner: string;
  try {
    owner = await owners.findOwner(projectId, context);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NotFoundError') throw notFound('project');
    throw error;
  }
  if (organizationId !== '' && owner !== organizationId) throw notFound('project');
  return owner;
}
